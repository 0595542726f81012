#include "filch/ranges/try.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "filch/expected.hpp"
#include "filch/pool.hpp"
#include "filch/ranges/par_range.hpp"
#include "filch/ranges/sources.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/par_on.hpp"
#include "support/sanitizers.hpp"
#include "support/tracked.hpp"

using filch::test::par_on;

namespace {

using number = filch::expected<int, std::string>;

std::vector<int> numbers(std::size_t n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

class range_try_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(range_try_on);

/// Fails for multiples of `bad`, which is not 0.
auto failing_at(int bad) {
  return [bad](int x) -> number {
    if (x % bad == bad - 1) return filch::unexpected<std::string>(std::to_string(x));
    return 2 * x;
  };
}

TEST_P(range_try_on, gives_the_first_error_in_order) {
  const std::vector<int> v = numbers(5000);
  for (int round = 0; round < 30; ++round) {
    const int bad = 2 + static_cast<int>(random().bounded(6000));
    const bool fails = bad <= 5000;
    const auto error = filch::unexpected<std::string>(std::to_string(bad - 1));
    run([&](const auto& fork) {
      const auto done = par_on(fork, v).try_for_each(failing_at(bad));
      static_assert(std::same_as<decltype(done), const filch::expected<void, std::string>>);
      ASSERT_EQ(done.has_value(), !fails);
      const auto all = par_on(fork, v).map(failing_at(bad)).template try_to<std::vector>();
      ASSERT_EQ(all.has_value(), !fails);
      const auto add = [](int a, int b) -> number { return a + b; };
      const auto sum = par_on(fork, v).map(failing_at(bad)).try_reduce(0, add);
      if (fails) {
        EXPECT_EQ(done, error);
        EXPECT_EQ(all, error);
        EXPECT_EQ(sum, error);
      } else {
        ASSERT_EQ(all->size(), 5000u);
        for (int i = 0; i < 5000; ++i) ASSERT_EQ((*all)[static_cast<std::size_t>(i)], 2 * i);
        EXPECT_EQ(sum, 4999 * 5000);
      }
    });
  }
}

TEST_P(range_try_on, takes_optionals) {
  const std::vector<int> v = numbers(3000);
  run([&](const auto& fork) {
    const auto below = [](int limit) {
      return [limit](int x) { return x < limit ? std::optional(x) : std::nullopt; };
    };
    EXPECT_TRUE(par_on(fork, v).try_for_each(below(3000)).has_value());
    EXPECT_FALSE(par_on(fork, v).try_for_each(below(2999)).has_value());
    EXPECT_EQ(par_on(fork, v).map(below(3000)).template try_to<std::vector<int>>(), v);
    EXPECT_EQ(par_on(fork, v).map(below(17)).template try_to<std::vector<int>>(), std::nullopt);
  });
}

TEST_P(range_try_on, folds_by_functions_that_may_fail) {
  const std::vector<int> v = numbers(2000);
  using total = filch::expected<long, std::string>;
  const auto add = [](long sum, int x) -> total {
    if (x == 5000) return filch::unexpected<std::string>("too large");
    return sum + x;
  };
  run([&](const auto& fork) {
    const auto make = [] { return 0L; };
    EXPECT_EQ(par_on(fork, v).try_fold(0L, add, std::plus<>()), 1999L * 1000);
    EXPECT_EQ(par_on(fork, v).try_fold(make, add, std::plus<>()), 1999L * 1000);
    const std::vector<int> none;
    EXPECT_EQ(par_on(fork, none).try_fold(0L, add, std::plus<>()), 0L);
    auto w = v;
    w[1234] = 5000;
    EXPECT_EQ(par_on(fork, w).try_fold(0L, add, std::plus<>()),
              filch::unexpected<std::string>("too large"));
    const auto fails = [](long, long) -> total {
      return filch::unexpected<std::string>("never together");
    };
    const auto result = par_on(fork, v).try_fold(0L, add, fails);
    if (!result.has_value()) {
      EXPECT_EQ(result.error(), "never together");
    }
  });
}

TEST_P(range_try_on, does_not_go_on_far_behind_an_error) {
  const std::vector<int> v = numbers(filch::test::size_for_build(1'000'000, 100'000));
  run([&](const auto& fork) {
    std::atomic<std::size_t> calls = 0;
    const auto f = [&](int x) -> std::optional<int> {
      ++calls;
      if (x == 10) return std::nullopt;
      return x;
    };
    EXPECT_FALSE(par_on(fork, v).try_for_each(f).has_value());
    // In a random order, the far end may have been searched first.
    if (GetParam() == filch::test::fork_kind::sequential) {
      EXPECT_LE(calls, 2048u);
    }
  });
}

TEST_P(range_try_on, lets_exceptions_through) {
  const std::vector<int> v = numbers(1000);
  run([&](const auto& fork) {
    const auto f = [](int x) -> number {
      if (x == 500) throw std::runtime_error("bad");
      return x;
    };
    EXPECT_THROW((void)par_on(fork, v).try_for_each(f), std::runtime_error);
    EXPECT_THROW((void)par_on(fork, v).map(f).template try_to<std::vector>(), std::runtime_error);
  });
}

TEST_P(range_try_on, destroys_the_values_before_an_error) {
  using filch::test::tracked;
  tracked::reset_counts();
  const std::vector<int> v = numbers(2000);
  for (int round = 0; round < 20; ++round) {
    const int bad = static_cast<int>(random().bounded(2000));
    run([&](const auto& fork) {
      const auto f = [&](int x) -> std::optional<tracked> {
        if (x == bad) return std::nullopt;
        return std::optional<tracked>(std::in_place, x);
      };
      const auto all = par_on(fork, v).map(f).template try_to<std::vector>();
      EXPECT_FALSE(all.has_value());
    });
    EXPECT_EQ(tracked::live(), 0);
  }
  EXPECT_EQ(tracked::wrong_destructions(), 0);
}

/// Two items of a bridge. The second is read before the first fails.
TEST(range_try, what_a_bridge_has_read_meanwhile_does_not_undo_an_error) {
  filch::pool p(2);
  filch::test::watch(p);
  std::atomic<bool> reads = false, failed = false;
  int n = 0;
  const auto next = [&]() -> std::optional<int> {
    if (++n == 3) return std::nullopt;
    if (n == 2) {
      reads = true;
      filch::test::until([&] { return failed.load(); });
      std::this_thread::sleep_for(
          std::chrono::milliseconds(20));  // it has notified the others by then
    }
    return n;
  };
  const auto add = [&](int sum, int x) -> std::optional<int> {
    if (x != 1) return sum + x;
    filch::test::until([&] { return reads.load(); });
    failed = true;
    return std::nullopt;
  };
  EXPECT_EQ(p.install([&] { return filch::par_bridge(next).try_reduce(0, add); }), std::nullopt);
}

}  // namespace
