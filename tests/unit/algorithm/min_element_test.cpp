#include "filch/algorithm/min_element.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "filch/algorithm/min.hpp"
#include "filch/detail/base/rng.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::extremes_with;
using filch::detail::extremum_with;
using filch::detail::tie;

namespace {

class min_element_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(min_element_on);

template <class Fork, class T, class Comp>
void check(const Fork& fork, const std::vector<T>& v, Comp comp) {
  const std::size_t n = v.size();
  std::identity self;
  const auto at = [&](auto i) { return static_cast<std::size_t>(i - v.begin()); };
  EXPECT_EQ((extremum_with<false, tie::first>(fork, v.begin(), n, comp, self, {})),
            at(std::min_element(v.begin(), v.end(), comp)));
  EXPECT_EQ((extremum_with<true, tie::first>(fork, v.begin(), n, comp, self, {})),
            at(std::max_element(v.begin(), v.end(), comp)));
  const auto both = extremes_with(fork, v.begin(), n, comp, self, {});
  const auto expected = std::minmax_element(v.begin(), v.end(), comp);
  EXPECT_EQ(both.least, at(expected.first));
  EXPECT_EQ(both.most, at(expected.second));
}

TEST_P(min_element_on, finds_what_std_does_with_few_many_and_only_equal_elements) {
  for (const std::size_t n : filch::test::sizes(17'000)) {
    if (n == 0) continue;
    for (const std::uint32_t distinct : {1u, 3u, 1'000'000u}) {
      std::vector<int> v(n);
      for (int& x : v) x = static_cast<int>(random().bounded(distinct)) - 1;
      const std::vector<double> d(v.begin(), v.end());
      const std::vector<std::uint8_t> bytes(v.begin(), v.end());
      const std::vector<long> longs(v.begin(), v.end());
      run([&](const auto& fork) {
        check(fork, v, std::ranges::less{});
        check(fork, v, std::greater<>{});
        check(fork, d, std::less<>{});
        check(fork, d, std::greater<>{});
        check(fork, bytes, std::less<>{});
        check(fork, longs, std::greater<long>{});
      });
    }
  }
}

TEST_P(min_element_on, finds_what_std_does_by_numbers_of_the_elements) {
  for (const std::size_t n : filch::test::sizes(5000)) {
    if (n == 0) continue;
    std::deque<int> v(n);
    for (int& x : v) x = static_cast<int>(random().bounded(200)) - 100;
    const auto at = [&](auto i) { return static_cast<std::size_t>(i - v.begin()); };
    run([&](const auto& fork) {
      auto distance = [](int x) { return std::abs(x); };
      auto less = std::ranges::less{};
      auto greater = std::greater<>{};
      EXPECT_EQ((extremum_with<false, tie::first>(fork, v.begin(), n, less, distance, {})),
                at(std::ranges::min_element(v, {}, distance)));
      EXPECT_EQ((extremum_with<true, tie::first>(fork, v.begin(), n, greater, distance, {})),
                at(std::ranges::min_element(v, {}, distance)));
      EXPECT_EQ((extremum_with<true, tie::first>(fork, v.begin(), n, less, distance, {})),
                at(std::ranges::max_element(v, {}, distance)));
      const auto both = extremes_with(fork, v.begin(), n, less, distance, {});
      const auto expected = std::ranges::minmax_element(v, {}, distance);
      EXPECT_EQ(both.least, at(expected.min));
      EXPECT_EQ(both.most, at(expected.max));
    });
  }
}

TEST_P(min_element_on, finds_what_std_does_in_sorted_and_reversed_ranges) {
  for (const std::size_t n : filch::test::sizes(10'000)) {
    if (n == 0) continue;
    std::vector<int> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i);
    run([&](const auto& fork) {
      check(fork, v, std::ranges::less{});
      check(fork, v, std::ranges::greater{});
    });
  }
}

/// Is compared by a number, which may be a NaN.
struct measured {
  float value;
};

/// The positions of the best elements, where some have no order.
template <class Fork>
std::vector<std::size_t> bests(const Fork& fork, const std::vector<measured>& v,
                               std::size_t grain) {
  const filch::options o{.grain = grain, .deterministic = true};
  const std::size_t n = v.size();
  std::identity self;
  auto less = std::ranges::less{};
  auto by_value = [](const measured& a, const measured& b) { return a.value < b.value; };
  auto value = &measured::value;
  const auto both = extremes_with(fork, v.begin(), n, less, value, o);
  const auto both_by = extremes_with(fork, v.begin(), n, by_value, self, o);
  return {extremum_with<false, tie::first>(fork, v.begin(), n, less, value, o),
          extremum_with<true, tie::first>(fork, v.begin(), n, less, value, o),
          extremum_with<false, tie::first>(fork, v.begin(), n, by_value, self, o),
          extremum_with<true, tie::first>(fork, v.begin(), n, by_value, self, o),
          both.least,
          both.most,
          both_by.least,
          both_by.most};
}

/// A part that begins with a NaN keeps it. The best elements are at the end or at the beginning.
std::vector<measured> nearly_all_without_order(std::size_t n, bool rising) {
  std::vector<measured> v(n, measured{std::nanf("")});
  for (std::size_t i = 0; i < n; i += 1 + i % 3)
    v[i].value = static_cast<float>(rising ? i : n - i);
  return v;
}

TEST_P(min_element_on, deterministic_ones_among_numbers_without_order_do_not_depend_on_who_looks) {
  for (const std::size_t n : {1u, 9u, 1000u, 5000u})
    for (const bool rising : {false, true}) {
      const auto v = nearly_all_without_order(n, rising);
      const auto expected = bests(filch::test::sequential_fork(), v, 0);
      for (const std::size_t grain : {0u, 1u, 7u, 100u, 1'000'000u})
        run([&](const auto& fork) { EXPECT_EQ(bests(fork, v, grain), expected) << n; });
    }
}

TEST(min_element, a_number_without_order_hides_no_number_behind_it) {
  using filch::detail::extremum_of_numbers;
  filch::detail::rng random(1);
  for (const std::size_t n : {2u, 15u, 20u, 33u, 1000u, 1030u, 3000u})
    for (int round = 0; round < 20; ++round) {
      std::vector<double> v(n);
      for (double& x : v) x = random.bounded(1000);
      for (int nans = round % 4; nans > 0; --nans)
        v[random.bounded(static_cast<std::uint32_t>(n))] = std::nan("");
      std::size_t last_most = 0;
      for (std::size_t i = 1; i < n; ++i) last_most = v[i] < v[last_most] ? last_most : i;
      const double* const p = v.data();
      EXPECT_EQ((extremum_of_numbers<false, tie::first>(p, 0, n)), std::min_element(p, p + n) - p);
      EXPECT_EQ((extremum_of_numbers<true, tie::first>(p, 0, n)), std::max_element(p, p + n) - p);
      EXPECT_EQ((extremum_of_numbers<true, tie::last>(p, 0, n)), last_most);
    }
}

template <class T>
class number_search_of : public testing::Test {};
using numbers = testing::Types<signed char, unsigned char, char16_t, short, unsigned short, int,
                               unsigned, long, unsigned long, float, double, long double, bool>;
TYPED_TEST_SUITE(number_search_of, numbers);

/// Also in pieces, of numbers at the limits of their type, and with many, few and no equal ones.
TYPED_TEST(number_search_of, finds_what_a_comparison_one_after_the_other_finds) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  filch::detail::rng random(2);
  for (const std::size_t n : {1u, 5u, 63u, 130u, 1025u, 2049u, 5000u})
    for (const std::uint32_t distinct : {1u, 2u, 100u, 100'000u}) {
      const std::unique_ptr<T[]> v(new T[n]);
      for (std::size_t i = 0; i != n; ++i) v[i] = static_cast<T>(random.bounded(distinct));
      for (const T limit : {limits::lowest(), limits::max()})
        if (distinct == 100'000) v[random.bounded(static_cast<std::uint32_t>(n))] = limit;
      const T* const p = v.get();
      std::size_t last_most = 0;
      std::size_t last_least = 0;
      for (std::size_t i = 1; i < n; ++i) {
        last_most = p[i] < p[last_most] ? last_most : i;
        last_least = p[last_least] < p[i] ? last_least : i;
      }
      const auto in_pieces = [&](auto search, std::size_t piece) {
        for (std::size_t from = 0; from != n;) {
          const std::size_t to = std::min(n, from + piece);
          search.take(from, to);
          from = to;
        }
        return search.found(0);
      };
      using filch::detail::number_search;
      for (const std::size_t piece : {n, std::size_t{1000}, std::size_t{2100}}) {
        EXPECT_EQ(in_pieces(number_search<false, tie::first, T>(p, p[0]), piece),
                  static_cast<std::size_t>(std::min_element(p, p + n) - p));
        EXPECT_EQ(in_pieces(number_search<true, tie::first, T>(p, p[0]), piece),
                  static_cast<std::size_t>(std::max_element(p, p + n) - p));
        EXPECT_EQ(in_pieces(number_search<true, tie::last, T>(p, p[0]), piece), last_most);
        EXPECT_EQ(in_pieces(number_search<false, tie::last, T>(p, p[0]), piece), last_least);
      }
    }
}

TEST(number_search, says_that_no_number_replaces_the_one_that_it_knows) {
  const std::vector<double> v(3000, 2.0);
  filch::detail::number_search<false, tie::first, double> least(v.data(), 2.0);
  least.take(0, v.size());
  EXPECT_EQ(least.found(7), 7u);
  filch::detail::number_search<true, tie::first, double> behind_nan(v.data(), std::nan(""));
  behind_nan.take(0, v.size());
  EXPECT_EQ(behind_nan.found(v.size()), v.size());
}

TEST(min, deterministic_ones_among_numbers_without_order_do_not_depend_on_the_pool) {
  std::vector<float> v;
  for (const measured& each : nearly_all_without_order(20'000, true)) v.push_back(each.value);
  const auto look = [&](filch::pool& pool, std::size_t grain) {
    const filch::options o{.grain = grain, .on = &pool, .deterministic = true};
    const auto both = filch::minmax(v, std::greater{}, o);
    std::vector<std::uint32_t> bits;
    for (const float x : {filch::min(v, o), filch::max(v, o), both.min, both.max,
                          *filch::min_element(v, std::greater{}, o), *filch::max_element(v, o),
                          *filch::minmax_element(v, o).max})
      bits.push_back(std::bit_cast<std::uint32_t>(x));
    return bits;
  };
  filch::pool one(1);
  filch::test::watch(one);
  const auto expected = look(one, 0);
  for (std::size_t workers = 2; workers <= 4; ++workers) {
    filch::pool several(workers);
    filch::test::watch(several);
    for (const std::size_t grain : {0u, 10u, 3000u}) EXPECT_EQ(look(several, grain), expected);
  }
}

struct person {
  std::string name;
  int age = 0;
  std::unique_ptr<int> only = nullptr;  // cannot be copied
};

TEST(min_element, takes_ranges_iterators_comparators_projections_and_options) {
  std::vector<person> people(4);
  people[0].age = 5;
  people[1].age = 3;
  people[2].age = 3;
  people[3].age = 5;
  EXPECT_EQ(filch::min_element(people, {}, &person::age), people.begin() + 1);
  EXPECT_EQ(filch::max_element(people, {}, &person::age), people.begin());
  EXPECT_EQ(filch::min_element(people, std::greater{}, &person::age, {.grain = 1}), people.begin());
  const auto both = filch::minmax_element(people, {}, &person::age);
  EXPECT_EQ(both.min, people.begin() + 1);
  EXPECT_EQ(both.max, people.begin() + 3);
  const std::vector<int> v = {2, 1, 3};
  EXPECT_EQ(filch::min_element(v), v.begin() + 1);
  EXPECT_EQ(filch::min_element(v, {.grain = 1}), v.begin() + 1);
  EXPECT_EQ(filch::min_element(v, std::greater{}, {.grain = 1}), v.begin() + 2);
  EXPECT_EQ(filch::max_element(v.begin(), v.end()), v.begin() + 2);
  EXPECT_EQ(filch::minmax_element(v.begin(), v.begin()).min, v.begin());
  EXPECT_EQ(filch::max_element(v.begin(), v.begin()), v.begin());
}

TEST(min, max_and_minmax_give_copies) {
  const std::vector<std::string> v = {"bb", "a", "ccc", "c"};
  EXPECT_EQ(filch::min(v), "a");
  EXPECT_EQ(filch::max(v), "ccc");
  EXPECT_EQ(filch::max(v, {}, &std::string::size), "ccc");
  EXPECT_EQ(filch::min(v, std::greater{}, {.grain = 1}), "ccc");
  EXPECT_EQ(filch::min(std::vector<int>{3, 2, 4}, {.grain = 1}), 2);
  const auto both = filch::minmax(v, {}, &std::string::size);
  EXPECT_EQ(both.min, "a");
  EXPECT_EQ(both.max, "ccc");
  EXPECT_THROW((void)filch::min(std::vector<int>{}), filch::usage_error);
  EXPECT_THROW((void)filch::max(std::vector<int>{}), filch::usage_error);
  EXPECT_THROW((void)filch::minmax(std::vector<int>{}), filch::usage_error);
}

}  // namespace
