// The sorts of one thread, each tested alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "filch/detail/order/merge_sort.hpp"
#include "filch/detail/order/network.hpp"
#include "filch/detail/order/partition.hpp"
#include "filch/detail/order/quick_sort.hpp"
#include "filch/detail/order/radix_key.hpp"
#include "filch/detail/order/runs.hpp"
#include "filch/detail/order/small_sort.hpp"
#include "support/orders.hpp"
#include "support/seed.hpp"

namespace {

using filch::test::every_order;
using filch::test::numbers_in;
using namespace filch::detail;

const auto less = [](auto& a, auto& b) { return a < b; };

// A network that sorts all sequences of zeros and ones sorts everything.
TEST(sorting_network, sorts_all_zeros_and_ones) {
  for (std::size_t n = 0; n <= 16; ++n)
    for (std::uint32_t bits = 0; bits < (1u << n); ++bits) {
      int v[16];
      for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(bits >> i & 1);
      network_sort(v, n, less);
      ASSERT_TRUE(std::is_sorted(v, v + n)) << n << ": " << bits;
    }
}

TEST(small_sort, sorts_every_size_and_keeps_equal_ones_in_order) {
  rng random = filch::test::seeded_rng(1);
  for (std::size_t n = 0; n <= 32; ++n)
    for (int round = 0; round < 50; ++round) {
      std::vector<std::uint64_t> v(n);
      for (auto& x : v) x = random.bounded(20);
      auto w = v;
      small_sort(v.data(), v.data() + n, less);
      ASSERT_TRUE(std::is_sorted(v.begin(), v.end()));
      for (std::size_t i = 0; i < n; ++i) w[i] = w[i] << 32 | i;
      const auto by_high = [](auto& a, auto& b) { return a >> 32 < b >> 32; };
      stable_small_sort(w.data(), w.data() + n, by_high);
      ASSERT_TRUE(std::is_sorted(w.begin(), w.end()));  // by number too
    }
}

TEST(partition, divides_around_the_pivot) {
  rng random = filch::test::seeded_rng(2);
  for (const auto how : every_order)
    for (const std::size_t n : {1u, 2u, 5u, 100u, 128u, 1000u}) {
      const auto check = [&](auto v) {
        const std::size_t p = random.bounded(static_cast<std::uint32_t>(n));
        const auto pivot = v[p];
        auto all = v;
        const auto middle = partition_around(v.data(), v.data() + n, v.data() + p, less);
        EXPECT_EQ(*middle, pivot);
        for (auto* i = v.data(); i != v.data() + n; ++i) ASSERT_EQ(*i < pivot, i < middle);
        std::sort(v.begin(), v.end());
        std::sort(all.begin(), all.end());
        ASSERT_EQ(v, all);
      };
      const auto numbers = numbers_in(how, n, random);
      check(numbers);
      std::vector<std::string> texts;
      for (const auto x : numbers) texts.push_back(std::to_string(x));
      check(texts);
    }
}

TEST(heap_sort, sorts) {
  rng random = filch::test::seeded_rng(3);
  for (const auto how : every_order)
    for (const std::size_t n : {0u, 1u, 2u, 3u, 100u, 999u}) {
      auto v = numbers_in(how, n, random);
      heap_sort(v.begin(), v.end(), less);
      ASSERT_TRUE(std::is_sorted(v.begin(), v.end()));
    }
}

TEST(quick_sort, asks_few_questions_whatever_the_order) {
  rng random = filch::test::seeded_rng(4);
  for (const auto how : every_order) {
    auto v = numbers_in(how, 100'000, random);
    std::size_t questions = 0;
    quick_sort(v.data(), v.data() + v.size(), [&](auto& a, auto& b) {
      ++questions;
      return a < b;
    });
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
    EXPECT_LT(questions, 40 * v.size()) << static_cast<int>(how);  // n log n is 17 n
    using filch::test::order;
    if (how == order::sorted || how == order::reversed || how == order::equal) {
      EXPECT_LT(questions, v.size());
    }
  }
}

TEST(merge_sort, asks_few_questions_about_runs) {
  rng random = filch::test::seeded_rng(5);
  for (const auto how : every_order) {
    auto v = numbers_in(how, 50'000, random);
    const raw_memory<std::uint64_t> memory(v.size());
    ASSERT_TRUE(memory);
    std::size_t questions = 0;
    merge_sort(v.data(), v.size(), memory.data(), [&](auto& a, auto& b) {
      ++questions;
      return a < b;
    });
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
    EXPECT_LT(questions, 20 * v.size());
    using filch::test::order;
    if (how == order::sorted || how == order::reversed || how == order::equal) {
      EXPECT_LT(questions, v.size() + 200);
    }
    if (how == order::organ_pipe) {
      EXPECT_LT(questions, 3 * v.size());
    }
  }
}

/// Checks a range that is a run except for one number, which is `other`, at any place.
template <class Comp, class T>
void check_runs_of(T other) {
  std::identity self;
  const key_less<radix_key<T, Comp, std::identity>> by_key{radix_key<T, Comp, std::identity>(self)};
  constexpr std::size_t n = 201;
  for (const bool up : {true, false})
    for (std::size_t where = 0; where != n; ++where) {
      std::vector<T> v(n);
      for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<T>(up ? i : n - i);
      v[where] = other;
      T* const last = &v.back();
      EXPECT_EQ(goes_on<false>(v.data(), last, by_key),
                std::is_sorted(v.begin(), v.end(), [&](T a, T b) { return by_key(a, b); }));
      EXPECT_EQ(goes_on<true>(v.data(), last, by_key),
                std::adjacent_find(v.begin(), v.end(), [&](T a, T b) { return !by_key(b, a); }) ==
                    v.end());
    }
}

TEST(runs, of_numbers_end_where_a_plain_loop_says_also_among_nans) {
  check_runs_of<std::less<>>(100);
  check_runs_of<std::greater<>>(100);
  check_runs_of<std::less<>>(std::uint64_t{100});
  for (const double other : {100.0, -0.0, std::numeric_limits<double>::quiet_NaN(),
                             -std::numeric_limits<double>::quiet_NaN()}) {
    check_runs_of<std::less<>>(other);
    check_runs_of<std::greater<>>(static_cast<float>(other));
  }
}

}  // namespace
