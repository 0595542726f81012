// nth_element, partial_sort, partial_sort_copy and top_k.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/orders.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

namespace {

using filch::detail::order_with;
using filch::test::every_order;
using filch::test::numbers_in;
using filch::test::order;

class select_on : public filch::test::on_any_fork {
 protected:
  template <class Body>
  void on(const Body& body) {
    run([&](const auto& fork) { order_with(fork, 0, {}, body); });
  }

  /// Interesting positions among n, the end included.
  std::vector<std::size_t> positions(std::size_t n) {
    const std::size_t any = random().bounded(static_cast<std::uint32_t>(n + 1));
    if (n > 10'000) return {n / 2, any};
    return {0, n / 2, n - n / 10, n, any};
  }

  template <class V, class Comp>
  void check(const V& given, Comp comp) {
    V expected = given;
    std::sort(expected.begin(), expected.end(), comp);
    std::identity self;
    for (const std::size_t k : positions(given.size())) {
      const auto cut = static_cast<std::ptrdiff_t>(k);
      V v = given;
      on([&](const auto& f) {
        filch::detail::nth_element_with(f, v.begin(), k, v.size(), comp, self, {});
      });
      if (k < v.size()) {
        ASSERT_EQ(v[k], expected[k]);
        const auto nth = v.begin() + cut;
        ASSERT_TRUE(std::none_of(v.begin(), nth, [&](auto& x) { return comp(*nth, x); }));
        ASSERT_TRUE(std::none_of(nth, v.end(), [&](auto& x) { return comp(x, *nth); }));
      }
      V w = given;
      on([&](const auto& f) {
        filch::detail::partial_sort_with(f, w.begin(), k, w.size(), comp, self, {});
      });
      ASSERT_TRUE(std::equal(w.begin(), w.begin() + cut, expected.begin()));
      for (V* all : {&v, &w}) {
        std::sort(all->begin(), all->end(), comp);
        ASSERT_EQ(*all, expected);
      }
      on([&](const auto& f) {
        const auto found = filch::detail::first_positions_with(f, given.begin(), given.size(), k,
                                                               comp, self, {.grain = 1000});
        ASSERT_EQ(found.size(), k);
        ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(),
                               [](const auto& position, const auto& x) { return *position == x; }));
      });
    }
  }
};
FILCH_TEST_ON_EVERY_FORK(select_on);

TEST_P(select_on, finds_what_sorting_would_put_there) {
  for (const order how : every_order)
    for (const std::size_t n :
         {0u, 1u, 2u, 3u, 31u, 33u, 500u, filch::test::size_for_build(3000u, 1200u)}) {
      const auto given = numbers_in(how, n, random());
      check(given, std::less<>());
      check(given, [](std::uint64_t a, std::uint64_t b) { return a > b; });
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST_P(select_on, finds_it_among_many) {
  for (const order how : {order::random, order::few_values, order::nearly_sorted}) {
    const auto given = numbers_in(how, filch::test::size_for_build(35'000u, 20'000u), random());
    check(given, [](std::uint64_t a, std::uint64_t b) { return a < b; });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(select_on, finds_strings_and_walks_a_deque) {
  std::vector<std::string> texts;
  for (const std::uint64_t x : numbers_in(order::random, 4000, random()))
    texts.push_back(std::to_string(x));
  check(texts, std::less<>());
  const auto numbers = numbers_in(order::random, 4000, random());
  check(std::deque<std::uint64_t>(numbers.begin(), numbers.end()), std::less<>());
}

TEST(select, takes_ranges_iterators_projections_and_options) {
  std::vector<int> v = {5, 3, 4, 1, 2};
  filch::nth_element(v, v.begin() + 2);
  EXPECT_EQ(v[2], 3);
  filch::nth_element(v, v.begin(), std::greater{});
  EXPECT_EQ(v[0], 5);
  filch::nth_element(v, v.begin(), std::greater{}, {.grain = 1});
  filch::nth_element(v, v.begin(), {.grain = 1});
  filch::nth_element(v.begin(), v.begin() + 1, v.end(), {}, std::negate{});
  EXPECT_EQ(v[1], 4);
  filch::partial_sort(v, v.begin() + 2);
  EXPECT_EQ((std::vector{v[0], v[1]}), (std::vector{1, 2}));
  filch::partial_sort(v, v.begin() + 2, std::greater{}, {.grain = 1});
  EXPECT_EQ((std::vector{v[0], v[1]}), (std::vector{5, 4}));
  filch::partial_sort(v, v.begin() + 2, {.grain = 1});
  filch::partial_sort(v.begin(), v.begin() + 1, v.end(), std::greater{});
  EXPECT_EQ(v[0], 5);
}

TEST(select, top_k_gives_the_largest_first) {
  const std::vector<int> v = {5, 3, 4, 1, 2};
  EXPECT_EQ(filch::top_k(v, 2), (std::vector{5, 4}));
  EXPECT_EQ(filch::top_k(v, 9), (std::vector{5, 4, 3, 2, 1}));
  EXPECT_EQ(filch::top_k(v, 0), std::vector<int>());
  EXPECT_EQ(filch::top_k(v, 2, std::less{}), (std::vector{1, 2}));
  EXPECT_EQ(filch::top_k(v, 1, {}, std::negate{}), (std::vector{1}));
}

TEST(select, partial_sort_copy_fills_the_output_and_no_more) {
  const std::vector<int> v = {5, 3, 4, 1, 2};
  std::vector<long> two(2), many(7, 9);
  EXPECT_EQ(filch::partial_sort_copy(v, two).out, two.end());
  EXPECT_EQ(two, (std::vector<long>{1, 2}));
  EXPECT_EQ(filch::partial_sort_copy(v, many, std::greater{}).out, many.begin() + 5);
  EXPECT_EQ(many, (std::vector<long>{5, 4, 3, 2, 1, 9, 9}));
}

}  // namespace
