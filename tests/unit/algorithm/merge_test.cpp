#include "filch/algorithm/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/orders.hpp"

namespace {

using filch::detail::order_with;
using filch::test::named;
using filch::test::numbered;

class merge_on : public filch::test::on_any_fork {
 protected:
  /// Two sorted halves with many equal keys, numbered throughout.
  template <class V>
  V halves(std::size_t na, std::size_t nb, std::uint32_t keys) {
    V v;
    for (std::size_t i = 0; i < na + nb; ++i) {
      if constexpr (std::is_same_v<typename V::value_type, named>)
        v.push_back({random().bounded(keys), ""});
      else
        v.push_back({random().bounded(keys), 0});
    }
    using element = typename V::value_type;
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(na);
    std::ranges::sort(v.begin(), middle, {}, &element::key);
    std::ranges::sort(middle, v.end(), {}, &element::key);
    for (std::size_t i = 0; i < v.size(); ++i) {
      if constexpr (std::is_same_v<element, named>)
        v[i].number = std::to_string(i) + " is its number";
      else
        v[i].number = i;
    }
    return v;
  }

  template <class V>
  void check(std::size_t na, std::size_t nb, std::uint32_t keys, std::size_t grain) {
    SCOPED_TRACE(testing::Message() << na << " and " << nb << ", grain " << grain);
    using element = typename V::value_type;
    const V given = halves<V>(na, nb, keys);
    V expected = given;
    std::ranges::stable_sort(expected, {}, &element::key);
    auto proj = &element::key;
    std::ranges::less less;
    V v = given, out = given;
    const auto middle = given.begin() + static_cast<std::ptrdiff_t>(na);
    run([&](const auto& fork) {
      order_with(fork, 0, {}, [&](const auto& f) {
        filch::detail::with_order(v.begin(), less, proj, [&](auto begin, auto before) {
          filch::detail::merge_in_place(f, begin, na, na + nb, before,
                                        static_cast<std::ptrdiff_t>(grain));
        });
        filch::detail::merge_copies(
            f, given.begin(), na, middle, nb, out.begin(),
            [](const element& y, const element& x) { return y.key < x.key; }, grain);
      });
    });
    ASSERT_EQ(v, expected);
    ASSERT_EQ(out, expected);
  }
};
FILCH_TEST_ON_EVERY_FORK(merge_on);

TEST_P(merge_on, merges_as_std_does) {
  for (const std::size_t na : {0u, 1u, 2u, 3u, 40u, 1000u})
    for (const std::size_t nb : {0u, 1u, 2u, 17u, 3000u})
      for (const std::size_t grain : {1u, 30u, 100'000u})
        for (const std::uint32_t keys : {1u, 10u, 1'000'000u}) {
          check<std::vector<numbered>>(na, nb, keys, grain);
          if (testing::Test::HasFatalFailure()) return;
        }
}

TEST_P(merge_on, merges_many_and_what_is_not_plain_or_not_side_by_side) {
  check<std::vector<numbered>>(70'000, 50'000, 100'000, 4096);
  check<std::vector<named>>(3000, 5000, 1000, 100);
  check<std::deque<numbered>>(3000, 5000, 1000, 100);
  check<std::deque<named>>(300, 200, 10, 10);
}

TEST_P(merge_on, merges_elements_that_cannot_be_moved_for_certain) {
  using element = filch::test::watched<true>;
  auto v = filch::test::watched_numbers<element>(
      filch::test::numbers_in(filch::test::order::random, 3000, random()));
  auto proj = [](const element& e) { return e.number(); };
  std::ranges::less less;
  std::ranges::sort(v.begin(), v.begin() + 1000, {}, proj);
  std::ranges::sort(v.begin() + 1000, v.end(), {}, proj);
  run([&](const auto& fork) {
    order_with(fork, 0, {}, [&](const auto& f) {
      filch::detail::with_order(v.begin(), less, proj, [&](auto begin, auto before) {
        filch::detail::merge_in_place(f, begin, 1000, v.size(), before, 100);
      });
    });
  });
  EXPECT_TRUE(std::ranges::is_sorted(v, {}, proj));
  EXPECT_EQ(element::errors(), 0);
}

TEST(merge, takes_ranges_comparators_projections_and_options) {
  const std::vector<int> a = {1, 3, 5};
  const std::deque<int> b = {-2, -3, -4};
  std::vector<int> out(6);
  const auto result = filch::merge(a, b, out.begin(), {}, {}, std::negate{}, {.grain = 2});
  EXPECT_EQ(out, (std::vector{1, -2, 3, -3, -4, 5}));
  EXPECT_EQ(result.in1, a.end());
  EXPECT_EQ(result.in2, b.end());
  EXPECT_EQ(result.out, out.end());
  std::vector<int> v = {1, 3, 5, 0, 2};
  filch::inplace_merge(v, v.begin() + 3);
  EXPECT_EQ(v, (std::vector{0, 1, 2, 3, 5}));
  std::vector<int> w = {5, 3, 9, 7, 1};
  filch::inplace_merge(w, w.begin() + 2, std::greater{}, {}, {.grain = 1});
  EXPECT_EQ(w, (std::vector{9, 7, 5, 3, 1}));
}

}  // namespace
