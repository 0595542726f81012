#include "filch/algorithm/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/this_worker.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"
#include "support/orders.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

namespace {

using filch::detail::order_with;
using filch::detail::sort_range;
using filch::test::every_order;
using filch::test::numbers_in;
using filch::test::order;

/// Compares by a function, so that no sort goes by digits. All tests share it: each further
/// comparator is one more sort to compile.
struct observed_less {
  const std::function<void()>* on_call = nullptr;
  bool operator()(std::uint64_t a, std::uint64_t b) const {
    if (on_call) (*on_call)();
    return a < b;
  }
};

class sort_on : public filch::test::on_any_fork {
 protected:
  /// Sorts `v` on this fork.
  template <class V, class Comp = std::ranges::less, class Proj = std::identity>
  void sort(V& v, Comp comp = {}, Proj proj = {}, const filch::options& o = {}) {
    run([&](const auto& fork) {
      order_with(fork, 0, o,
                 [&](const auto& f) { sort_range<false>(f, v.begin(), v.size(), comp, proj, o); });
    });
  }

  /// Sorts numbers as `T`s in ascending order, which is by digits; some types also in descending
  /// order and by comparing. Compares the results with std::sort.
  template <class T>
  void check(const std::vector<std::uint64_t>& numbers) {
    std::vector<T> given(numbers.size());
    std::transform(numbers.begin(), numbers.end(), given.begin(),
                   [](std::uint64_t n) { return static_cast<T>(n); });
    std::vector<T> expected = given;
    std::sort(expected.begin(), expected.end());

    std::vector<T> by_digits = given;
    sort(by_digits);
    ASSERT_EQ(by_digits, expected);
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      std::vector<T> by_comparing = given;
      sort(by_comparing, observed_less());
      ASSERT_EQ(by_comparing, expected);
    }
    if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>) {
      std::vector<T> downwards = given;
      sort(downwards, std::greater<>());
      std::reverse(expected.begin(), expected.end());
      ASSERT_EQ(downwards, expected);
    }
  }
};
FILCH_TEST_ON_EVERY_FORK(sort_on);

TEST_P(sort_on, sorts_as_std_does_whatever_the_order) {
  for (const order how : every_order)
    for (const std::size_t n : filch::test::sizes(5000)) {
      SCOPED_TRACE(testing::Message() << n << " in order " << static_cast<int>(how));
      check<std::uint64_t>(numbers_in(how, n, random()));
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST_P(sort_on, sorts_large_ranges) {
  for (const order how : every_order) {
    SCOPED_TRACE(testing::Message() << "order " << static_cast<int>(how));
    // By samples, or by digits in parallel.
    const bool twice = how == order::random || how == order::few_values;
    check<std::uint64_t>(
        numbers_in(how, (twice ? 70'000 : 35'000) + random().bounded(4000), random()));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Sizes at which digits become wider, or another level pays.
TEST_P(sort_on, sorts_by_digits_in_one_level_or_several) {
  for (const std::size_t n :
       {2047u, 2048u, 2049u, 8191u, 8192u, 16'384u, 32'767u, 32'768u, 65'537u})
    check<std::uint64_t>(numbers_in(order::random, n, random()));
}

TEST_P(sort_on, sorts_numbers_of_every_kind) {
  for (const std::size_t n : {3u, 40u, 700u, filch::test::size_for_build(70'000u, 35'000u)}) {
    const auto numbers = numbers_in(order::random, n, random());
    check<std::int8_t>(numbers);
    check<unsigned short>(numbers);
    check<int>(numbers);
    check<long long>(numbers);
    check<float>(numbers);
    check<double>(numbers);
    check<long double>(numbers);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(sort_on, puts_nans_last_and_those_with_a_sign_first) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::size_t n : {8u, 30u, 600u, 70'000u}) {
    std::vector<double> v(n);
    for (double& d : v) {
      const double some[] = {nan, -nan, inf, -inf, 0.0, -0.0, 1.5, -1.5};
      d = some[random().bounded(8)];
    }
    const auto negative_nans = std::count_if(
        v.begin(), v.end(), [](double d) { return std::isnan(d) && std::signbit(d); });
    const auto nans = std::count_if(v.begin(), v.end(), [](double d) { return std::isnan(d); });
    sort(v);
    EXPECT_TRUE(std::all_of(v.begin(), v.begin() + negative_nans,
                            [](double d) { return std::isnan(d) && std::signbit(d); }));
    EXPECT_TRUE(std::is_sorted(v.begin() + negative_nans, v.end() - (nans - negative_nans)));
    EXPECT_TRUE(std::all_of(v.end() - (nans - negative_nans), v.end(),
                            [](double d) { return std::isnan(d) && !std::signbit(d); }));
  }
}

TEST_P(sort_on, sorts_strings) {
  for (const std::size_t n : {2u, 19u, 100u, 3000u, 70'000u}) {
    std::vector<std::string> v;
    for (const std::uint64_t x : numbers_in(order::random, n, random()))
      v.push_back((x % 3 == 0 ? "a long beginning that is the same, " : "") +
                  std::to_string(x % (2 * n)));
    std::vector<std::string> expected = v;
    std::sort(expected.begin(), expected.end());
    sort(v);
    ASSERT_EQ(v, expected);
  }
}

struct large {
  std::uint64_t key;
  std::array<std::uint64_t, 15> rest;
};
struct medium {
  std::uint64_t key;
  std::array<std::uint64_t, 7> rest;
};

template <class Record>
void fill_records(std::vector<Record>& v, filch::detail::rng& random) {
  for (Record& r : v) {
    r.key = random.bounded(50'000);
    r.rest.fill(r.key + 1);
  }
}

TEST_P(sort_on, sorts_records_by_a_projection_or_a_function) {
  const auto check = [&](auto record) {
    using rec = decltype(record);
    for (const std::size_t n : {10u, 50u, 700u, 70'000u}) {
      std::vector<rec> v(n);
      fill_records(v, random());
      std::vector<rec> w = v, x = v;
      sort(v, {}, &rec::key);
      sort(w, [](const rec& a, const rec& b) { return a.key > b.key; });
      sort(x, std::ranges::less(), [](const rec& r) { return r.key; });
      EXPECT_TRUE(std::ranges::is_sorted(v, {}, &rec::key));
      EXPECT_TRUE(std::ranges::is_sorted(w, std::greater<>(), &rec::key));
      EXPECT_TRUE(std::ranges::is_sorted(x, {}, &rec::key));
      for (const auto& all : {v, w, x})
        for (const rec& r : all) ASSERT_EQ(r.rest.back(), r.key + 1);
    }
  };
  check(large{});
  std::vector<medium> v(70'000);
  fill_records(v, random());
  sort(v, {}, &medium::key);
  EXPECT_TRUE(std::ranges::is_sorted(v, {}, &medium::key));
  for (const medium& r : v) ASSERT_EQ(r.rest.back(), r.key + 1);
}

TEST_P(sort_on, sorts_what_can_only_be_moved_and_lies_in_a_deque) {
  for (const std::size_t n : {5u, 100u, 30'000u}) {
    std::deque<std::unique_ptr<std::uint64_t>> v;
    for (const std::uint64_t x : numbers_in(order::random, n, random()))
      v.push_back(std::make_unique<std::uint64_t>(x));
    sort(v, [](const auto& a, const auto& b) { return *a < *b; });
    EXPECT_TRUE(std::ranges::is_sorted(v, {}, [](const auto& p) { return *p; }));
    std::deque<int> d(n);
    for (int& i : d) i = static_cast<int>(random()());
    sort(d);
    EXPECT_TRUE(std::ranges::is_sorted(d));
  }
}

TEST_P(sort_on, forks_down_to_the_grain_that_was_asked_for) {
  for (const std::size_t grain : {1u, 10u, 1000u, 1'000'000u}) {
    auto v = numbers_in(order::random, 20'000, random());
    sort(v, observed_less(), std::identity(), {.grain = grain});
    EXPECT_TRUE(std::ranges::is_sorted(v));
  }
}

TEST_P(sort_on, asked_to_stop_it_keeps_all_elements) {
  for (const bool digits : {false, true}) {
    const auto given = numbers_in(order::random, 140'000, random());
    auto expected = given;
    std::sort(expected.begin(), expected.end());
    std::stop_source stop;
    std::atomic<int> left = 400'000;
    auto v = given;
    const std::function<void()> count = [&] {
      if (--left == 0) stop.request_stop();
    };
    const auto proj = [&](std::uint64_t x) {
      count();
      return x;
    };
    const filch::options o = {.stop = stop.get_token()};
    if (digits) {
      EXPECT_THROW(sort(v, std::ranges::less(), proj, o), filch::cancelled);
    } else {
      EXPECT_THROW(sort(v, observed_less{&count}, std::identity(), o), filch::cancelled);
    }
    EXPECT_FALSE(std::ranges::is_sorted(v));
    std::sort(v.begin(), v.end());
    EXPECT_EQ(v, expected);
  }
}

TEST(sort, takes_ranges_iterators_comparators_projections_and_options) {
  std::vector<int> v = {3, 1, 2};
  filch::sort(v);
  EXPECT_EQ(v, (std::vector{1, 2, 3}));
  filch::sort(v, std::greater{});
  EXPECT_EQ(v, (std::vector{3, 2, 1}));
  filch::sort(v, {.grain = 1});
  EXPECT_EQ(v, (std::vector{1, 2, 3}));
  filch::sort(v, std::greater{}, {.grain = 1});
  filch::sort(v, {}, std::negate{});
  EXPECT_EQ(v, (std::vector{3, 2, 1}));
  filch::sort(v, {}, {}, {.priority = filch::priority::high});
  EXPECT_EQ(v, (std::vector{1, 2, 3}));
  filch::sort(v.begin(), v.begin() + 2, std::greater{});
  EXPECT_EQ(v, (std::vector{2, 1, 3}));
  filch::sort(v.begin(), v.end(), {.grain = 1});
  filch::sort(v.begin(), v.end(), std::greater{}, {.grain = 1});
  EXPECT_EQ(v, (std::vector{3, 2, 1}));
  filch::sort(std::span(v).subspan(1));
  EXPECT_EQ(v, (std::vector{3, 1, 2}));
  int plain[] = {2, 1};
  filch::sort(plain);
  EXPECT_EQ(plain[0], 1);
}

TEST(sort, runs_on_the_pool_of_its_options) {
  filch::pool p(2);
  filch::test::watch(p);
  filch::detail::rng random(1);
  auto v = numbers_in(order::random, 200'000, random);
  std::atomic<int> elsewhere = 0;
  const auto comp = [&](std::uint64_t a, std::uint64_t b) {
    if (filch::this_worker::pool() != &p) ++elsewhere;
    return a < b;
  };
  filch::sort(v, comp, {.on = &p});
  EXPECT_TRUE(std::ranges::is_sorted(v));
  EXPECT_EQ(elsewhere, 0);
}

TEST(sort, of_an_input_gives_the_same_for_any_number_of_workers) {
  struct pair_of {
    std::uint32_t key, number;
    bool operator==(const pair_of&) const = default;
  };
  filch::detail::rng random(7);
  std::vector<pair_of> given(100'000);
  for (std::uint32_t i = 0; i < given.size(); ++i) given[i] = {random.bounded(1000), i};
  std::vector<pair_of> first;
  for (const std::size_t workers : {1u, 2u, 3u}) {
    filch::pool p(workers);
    auto v = given;
    p.install([&] { filch::sort(v, [](auto& a, auto& b) { return a.key < b.key; }); });
    if (first.empty()) first = v;
    EXPECT_EQ(v, first);
  }
}

}  // namespace
