#include "filch/algorithm/stable_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/orders.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

namespace {

using filch::detail::order_with;
using filch::test::every_order;
using filch::test::named;
using filch::test::numbered;
using filch::test::numbers_in;
using filch::test::order;

constexpr auto by_comparing = [](std::uint64_t a, std::uint64_t b) { return a < b; };

class stable_sort_on : public filch::test::on_any_fork {
 protected:
  template <class V, class Comp = std::ranges::less, class Proj = std::identity>
  void stable_sort(V& v, Comp comp = {}, Proj proj = {}) {
    run([&](const auto& fork) {
      order_with(fork, 0, {}, [&](const auto& f) {
        filch::detail::sort_range<true>(f, v.begin(), v.size(), comp, proj, {});
      });
    });
  }

  /// `n` elements with keys from a small range, numbered.
  template <class V>
  V elements(order how, std::size_t n) {
    using element = typename V::value_type;
    V given;
    for (const std::uint64_t key : numbers_in(how, n, random())) {
      if constexpr (std::is_same_v<element, named>)
        given.push_back({key % 1000, std::to_string(given.size()) + " of many"});
      else
        given.push_back({key % 1000, given.size()});
    }
    return given;
  }

  template <class V, class Comp>
  void compare(const V& given, Comp comp) {
    auto proj = &V::value_type::key;
    V expected = given, v = given;
    std::ranges::stable_sort(expected, comp, proj);
    stable_sort(v, comp, proj);
    ASSERT_EQ(v, expected);
  }

  /// Sorts by digits and by comparing, ascending and descending.
  template <class V>
  void check(order how, std::size_t n) {
    SCOPED_TRACE(testing::Message() << n << " in order " << static_cast<int>(how));
    const V given = elements<V>(how, n);
    compare(given, std::ranges::less());
    compare(given, std::greater<>());
    compare(given, by_comparing);
  }
};
FILCH_TEST_ON_EVERY_FORK(stable_sort_on);

TEST_P(stable_sort_on, keeps_equal_elements_in_order) {
  for (const order how : every_order)
    for (const std::size_t n : filch::test::sizes(3000)) {
      check<std::vector<numbered>>(how, n);
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST_P(stable_sort_on, keeps_equal_elements_of_large_ranges_in_order) {
  // By samples, or by digits in parallel.
  using elements_of = std::vector<numbered>;
  for (const order how : every_order) {
    SCOPED_TRACE(testing::Message() << "order " << static_cast<int>(how));
    compare(elements<elements_of>(how, 35'000), by_comparing);
    if (how == order::random || how == order::few_values || how == order::organ_pipe)
      compare(elements<elements_of>(how, 70'000), std::ranges::less());
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(stable_sort_on, sorts_what_is_not_plain_and_what_is_not_side_by_side) {
  for (const order how : {order::random, order::organ_pipe, order::sorted_then_random})
    for (const std::size_t n : {7u, 100u, 5000u}) {
      check<std::vector<named>>(how, n);
      compare(elements<std::deque<numbered>>(how, n), std::ranges::less());
      compare(elements<std::deque<named>>(how, n), by_comparing);
      if (testing::Test::HasFatalFailure()) return;
    }
  compare(elements<std::vector<named>>(order::random, 35'000), by_comparing);
  compare(elements<std::deque<numbered>>(order::random, 35'000), by_comparing);
}

TEST_P(stable_sort_on, merges_many_runs) {
  for (const std::size_t run : {70u, 333u, 20'000u}) {
    std::vector<numbered> v(60'000);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const std::size_t offset = i % run;
      v[i] = {i / run % 2 == 0 ? offset : 2 * run - 2 * offset, i};
    }
    auto expected = v;
    std::ranges::stable_sort(expected, {}, &numbered::key);
    stable_sort(v, by_comparing, &numbered::key);
    ASSERT_EQ(v, expected);
  }
}

TEST_P(stable_sort_on, takes_both_zeros_for_equal) {
  for (const std::size_t n : {10u, 1000u, 70'000u}) {
    std::vector<double> v(n);
    for (double& d : v) d = random().bounded(2) == 0 ? 0.0 : -0.0;
    const auto given = v;
    v.push_back(-1);
    stable_sort(v);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(std::signbit(v[i + 1]), std::signbit(given[i]));
  }
}

TEST_P(stable_sort_on, by_cached_keys_makes_each_key_once) {
  for (const std::size_t n :
       {0u, 1u, 2u, 50u, 5000u, filch::test::size_for_build(70'000u, 35'000u)}) {
    std::vector<named> v;
    for (const std::uint64_t key : numbers_in(order::random, n, random()))
      v.push_back({key % 100, std::to_string(v.size())});
    auto expected = v;
    const auto text = [](const named& e) { return std::to_string(e.key); };
    std::ranges::stable_sort(expected, {}, text);
    std::atomic<std::size_t> calls = 0;
    const auto sort_by = [&](auto& elements, auto key, auto comp) {
      run([&](const auto& fork) {
        order_with(fork, 0, {}, [&](const auto& f) {
          filch::detail::sort_by_cached_keys(f, elements.begin(), elements.size(), key, comp, 0);
        });
      });
    };
    sort_by(
        v,
        [&](const named& e) {
          ++calls;
          return text(e);
        },
        std::ranges::less());
    EXPECT_EQ(v, expected);
    EXPECT_EQ(calls, n < 2 ? 0 : n);
    sort_by(v, &named::key, std::greater<>());
    std::ranges::stable_sort(expected, std::greater<>(), &named::key);
    EXPECT_EQ(v, expected);
  }
}

TEST_P(stable_sort_on, by_cached_keys_moves_nothing_if_a_key_cannot_be_made) {
  using element = filch::test::watched<true>;
  std::vector<std::uint64_t> numbers = numbers_in(order::random, 5000, random());
  auto v = filch::test::watched_numbers<element>(numbers);
  std::atomic<int> left = 3000;
  auto key = [&](const element& e) {
    if (--left == 0) throw std::runtime_error("no key");
    return std::to_string(e.number());
  };
  std::ranges::less less;
  const auto sort_all = [&] {
    run([&](const auto& fork) {
      order_with(fork, 0, {}, [&](const auto& f) {
        filch::detail::sort_by_cached_keys(f, v.begin(), v.size(), key, less, 100);
      });
    });
  };
  EXPECT_THROW(sort_all(), std::runtime_error);
  for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i].number(), numbers[i]);
  sort_all();
  EXPECT_TRUE(
      std::ranges::is_sorted(v, {}, [](const element& e) { return std::to_string(e.number()); }));
}

TEST(stable_sort, takes_ranges_iterators_keys_and_options) {
  std::vector<numbered> v = {{2, 0}, {1, 1}, {2, 2}};
  filch::stable_sort(v, {}, &numbered::key);
  EXPECT_EQ(v, (std::vector<numbered>{{1, 1}, {2, 0}, {2, 2}}));
  filch::sort_by_key(v, &numbered::key, std::greater{});
  EXPECT_EQ(v, (std::vector<numbered>{{2, 0}, {2, 2}, {1, 1}}));
  filch::sort_by_key(v, &numbered::key, {.grain = 1});
  filch::sort_by_cached_key(v, [](const numbered& e) { return 10 - e.number; });
  EXPECT_EQ(v, (std::vector<numbered>{{2, 2}, {1, 1}, {2, 0}}));
  filch::sort_by_cached_key(v, &numbered::number, {.grain = 2});
  EXPECT_EQ(v, (std::vector<numbered>{{2, 0}, {1, 1}, {2, 2}}));
  filch::sort_by_cached_key(v, &numbered::number, std::greater{}, {.grain = SIZE_MAX});
  EXPECT_EQ(v, (std::vector<numbered>{{2, 2}, {1, 1}, {2, 0}}));
  filch::stable_sort(v.begin(), v.end(), std::greater{}, &numbered::number, {.grain = 1});
  EXPECT_EQ(v, (std::vector<numbered>{{2, 2}, {1, 1}, {2, 0}}));
  std::vector<int> i = {2, 1};
  filch::stable_sort(i);
  filch::stable_sort(i, std::greater{});
  filch::stable_sort(i, std::greater{}, {.grain = 1});
  filch::stable_sort(i.begin(), i.end(), std::greater{}, {.grain = 1});
  EXPECT_EQ(i, (std::vector{2, 1}));
  filch::stable_sort(i.begin(), i.end(), {.grain = 1});
  filch::stable_sort(i, {.grain = 1});
  EXPECT_EQ(i, (std::vector{1, 2}));
}

}  // namespace
