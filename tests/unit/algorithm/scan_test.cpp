#include "filch/algorithm/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/transform_scan.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/suppressed.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

using filch::exclusive_scan;
using filch::inclusive_scan;
using filch::detail::prefix_with;
using filch::detail::scan_kind;

namespace {

class scan_on : public filch::test::on_any_fork {
 protected:
  template <class T>
  std::vector<T> random_numbers(std::size_t n) {
    std::vector<T> v(n);
    for (T& x : v) x = static_cast<T>(random().bounded(1000));
    return v;
  }

  /// Both kinds, in place and not, compared with the standard library.
  template <class T, class Op>
  void compare(const std::vector<T>& v, Op op, const T& init, const filch::options& o) {
    const auto n = v.size();
    std::identity self;
    std::vector<T> expected(n, init);
    std::vector<T> out(n, init);
    std::vector<T> in_place = v;
    run([&](const auto& fork) {
      std::inclusive_scan(v.begin(), v.end(), expected.begin(), op);
      prefix_with<scan_kind::inclusive, T>(fork, v.begin(), n, self, out.begin(), op, std::nullopt,
                                           o);
      EXPECT_EQ(out, expected);
      prefix_with<scan_kind::inclusive, T>(fork, in_place.begin(), n, self, in_place.begin(), op,
                                           std::nullopt, o);
      EXPECT_EQ(in_place, expected);

      std::inclusive_scan(v.begin(), v.end(), expected.begin(), op, init);
      prefix_with<scan_kind::inclusive, T>(fork, v.begin(), n, self, out.begin(), op,
                                           std::optional(init), o);
      EXPECT_EQ(out, expected);

      std::exclusive_scan(v.begin(), v.end(), expected.begin(), init, op);
      in_place = v;
      prefix_with<scan_kind::exclusive, T>(fork, v.begin(), n, self, out.begin(), op,
                                           std::optional(init), o);
      EXPECT_EQ(out, expected);
      prefix_with<scan_kind::exclusive, T>(fork, in_place.begin(), n, self, in_place.begin(), op,
                                           std::optional(init), o);
      EXPECT_EQ(in_place, expected);
    });
  }
};
FILCH_TEST_ON_EVERY_FORK(scan_on);

TEST_P(scan_on, gives_what_std_does_for_numbers) {
  for (const std::size_t n : filch::test::sizes()) {
    compare<int>(random_numbers<int>(n), std::plus<>{}, 7, {});
    compare<double>(random_numbers<double>(n), std::plus<>{}, 0.5, {.deterministic = n % 2 == 0});
    compare<std::uint64_t>(random_numbers<std::uint64_t>(n), std::multiplies<>{}, 3,
                           {.grain = 100});
    compare<float>(std::vector<float>(n, 1.0F), std::plus<>{}, 2.0F, {});
  }
}

TEST_P(scan_on, gives_what_std_does_for_operations_that_are_not_commutative) {
  for (const std::size_t n : filch::test::sizes(200)) {
    std::vector<std::string> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = std::string(1, static_cast<char>('a' + i % 26));
    compare<std::string>(v, std::plus<>{}, "<", {.grain = n % 5});
    compare<std::string>(v, std::plus<>{}, "<", {.deterministic = true});
  }
}

TEST_P(scan_on, deterministic_gives_the_same_bits_on_any_threads) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<double> v(n);
    for (double& x : v) x = 1.0 / (1 + random().bounded(1000));
    std::plus<> plus;
    auto lambda = [](double a, double b) { return a + b; };
    std::identity self;
    std::vector<double> expected(n);
    std::vector<double> out(n);
    const filch::test::sequential_fork alone;
    const auto check = [&](auto& op) {
      prefix_with<scan_kind::inclusive, double>(alone, v.begin(), n, self, expected.begin(), op,
                                                std::nullopt, {.deterministic = true});
      for (int round = 0; round < 3; ++round)
        run([&](const auto& fork) {
          const filch::options o{.grain = random().bounded(3000), .deterministic = true};
          prefix_with<scan_kind::inclusive, double>(fork, v.begin(), n, self, out.begin(), op,
                                                    std::nullopt, o);
          EXPECT_EQ(out, expected);
        });
    };
    check(plus);
    check(lambda);
  }
}

TEST_P(scan_on, throws_what_an_operation_threw_and_stops) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto rarity = 1 + random().bounded(2000);
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    std::vector<std::uint32_t> out(n);
    std::mutex mutex;
    std::vector<std::uint32_t> thrown;
    run([&](const auto& fork) {
      auto f = [&](std::uint32_t i) {
        if ((i * 2654435761u) % rarity != 0) return 1u;
        const std::scoped_lock lock(mutex);
        thrown.push_back(i);
        throw i;
      };
      std::plus<> plus;
      try {
        prefix_with<scan_kind::inclusive, std::uint32_t>(fork, v.begin(), n, f, out.begin(), plus,
                                                         std::nullopt, {});
        EXPECT_TRUE(thrown.empty());
        EXPECT_EQ(out.back(), n);
      } catch (std::uint32_t i) {
        EXPECT_EQ(i, *std::min_element(thrown.begin(), thrown.end()));
        EXPECT_EQ(filch::suppressed().size(), thrown.size() - 1);
      }
    });
  }
}

TEST_P(scan_on, a_stop_throws_cancelled_or_comes_too_late) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto when = random().bounded(2 * n);
    std::vector<std::uint32_t> v(n);
    std::iota(v.begin(), v.end(), 0u);
    std::vector<std::uint32_t> out(n);
    std::stop_source source;
    bool stopped = false;
    run([&](const auto& fork) {
      auto f = [&](std::uint32_t i) {
        if (i == when) source.request_stop();
        return 1u;
      };
      std::plus<> plus;
      try {
        prefix_with<scan_kind::inclusive, std::uint32_t>(
            fork, v.begin(), n, f, out.begin(), plus, std::nullopt, {.stop = source.get_token()});
      } catch (const filch::cancelled&) {
        stopped = true;
      }
    });
    EXPECT_TRUE(!stopped || when < n);
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 1u);
    EXPECT_TRUE(stopped || out == expected);
  }
}

TEST_P(scan_on, tells_its_progress_once_for_each_element) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    std::vector<int> v(n, 1);
    std::size_t last = 0;  // not atomic: the calls are ordered
    run([&](const auto& fork) {
      const auto progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, n);
        EXPECT_LT(last, done);
        last = done;
      };
      auto plus = [](int a, int b) { return a + b; };
      std::identity self;
      prefix_with<scan_kind::inclusive, int>(fork, v.begin(), n, self, v.begin(), plus,
                                             std::nullopt, {.progress = progress});
    });
    EXPECT_EQ(last, n);
  }
}

/// While an operation waits for its branches, its thread may run another part of the scan.
TEST(scan, operations_may_run_things_in_parallel) {
  filch::pool p(3);
  filch::test::watch(p);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> v(200, 1);
    const auto op = [](int a, int b) {
      std::atomic<int> sum = 0;
      filch::parallel_for(0, 20, [&](int) { ++sum; }, {.grain = 1});
      return a + b + sum - 20;
    };
    p.install([&] { inclusive_scan(v, v.begin(), op); });
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], static_cast<int>(i) + 1);
  }
}

TEST(scan, of_millions_of_numbers_on_a_pool) {
  filch::pool p(4);
  filch::test::watch(p);
  std::vector<int> v(filch::test::size_for_build(3'000'001u, 300'001u), 1);
  for (int round = 0; round < 5; ++round) {
    std::vector<int> out(v.size());
    inclusive_scan(v, out.begin(), {.on = &p});
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i) + 1);
  }
}

TEST(scan, takes_ranges_iterators_operations_and_options_or_any_of_them) {
  const std::vector<int> v = {1, 2, 3};
  std::vector<int> out(3);
  const auto result = inclusive_scan(v, out.begin());
  EXPECT_EQ(result.in, v.end());
  EXPECT_EQ(result.out, out.end());
  EXPECT_EQ(out, (std::vector{1, 3, 6}));
  inclusive_scan(v, out.begin(), std::multiplies{}, {.grain = 1});
  EXPECT_EQ(out, (std::vector{1, 2, 6}));
  inclusive_scan(v, out.begin(), std::plus{}, 10, {.grain = 1});
  EXPECT_EQ(out, (std::vector{11, 13, 16}));
  inclusive_scan(v, out.begin(), {.grain = 1});
  EXPECT_EQ(out, (std::vector{1, 3, 6}));
  inclusive_scan(v.begin(), v.end(), out.begin());
  inclusive_scan(v.begin(), v.end(), out.begin(), std::plus{}, 1);
  EXPECT_EQ(out, (std::vector{2, 4, 7}));
  exclusive_scan(v, out.begin(), 0);
  EXPECT_EQ(out, (std::vector{0, 1, 3}));
  exclusive_scan(v, out.begin(), 1, std::multiplies{}, {.deterministic = true});
  EXPECT_EQ(out, (std::vector{1, 1, 2}));
  exclusive_scan(v.begin(), v.end(), out.begin(), 5);
  EXPECT_EQ(out, (std::vector{5, 6, 8}));
  std::vector<long> longs(3);
  inclusive_scan(std::vector<signed char>{100, 100, 100}, longs.begin(), std::plus{}, 0L);
  EXPECT_EQ(longs, (std::vector<long>{100, 200, 300}));
  std::deque<int> d(10'000, 1);
  inclusive_scan(d, d.begin());
  EXPECT_EQ(d.back(), 10'000);
}

TEST(scan, of_negative_zeros_gives_negative_zeros) {
  const auto check = [](auto zero) {
    for (std::size_t n = 1; n != 10; ++n) {
      std::vector<decltype(zero)> v(n, zero);
      inclusive_scan(v, v.begin());
      for (const auto sum : v) EXPECT_TRUE(std::signbit(sum)) << n;
      v.assign(n, zero);
      exclusive_scan(v, v.begin(), zero);
      for (const auto sum : v) EXPECT_TRUE(std::signbit(sum)) << n;
    }
  };
  check(-0.0);
  check(-0.0F);
}

TEST(scan, of_flags_that_could_be_written_adds_values) {
  std::vector<bool> flags = {false, true, false, true};
  std::vector<int> out(4);
  inclusive_scan(flags, out.begin());  // sums are bools, as those of std::inclusive_scan
  EXPECT_EQ(out, (std::vector{0, 1, 1, 1}));
  EXPECT_EQ(flags, (std::vector<bool>{false, true, false, true}));
}

TEST(scan, of_what_a_function_makes_of_the_elements) {
  const std::vector<std::string> words = {"a", "bb", "ccc"};
  std::vector<std::size_t> out(3);
  filch::transform_inclusive_scan(words, out.begin(), std::plus{}, &std::string::size);
  EXPECT_EQ(out, (std::vector<std::size_t>{1, 3, 6}));
  filch::transform_inclusive_scan(words, out.begin(), std::plus{}, &std::string::size,
                                  std::size_t{10}, {.grain = 1});
  EXPECT_EQ(out, (std::vector<std::size_t>{11, 13, 16}));
  filch::transform_exclusive_scan(words.begin(), words.end(), out.begin(), std::size_t{0},
                                  std::plus{}, &std::string::size);
  EXPECT_EQ(out, (std::vector<std::size_t>{0, 1, 3}));
}

}  // namespace
