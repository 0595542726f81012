#include "filch/algorithm/parallel_for.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/suppressed.hpp"
#include "filch/this_worker.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::parallel_for;
using filch::detail::counted;
using filch::detail::parallel_for_blocks_with;
using filch::detail::parallel_for_with;

namespace {

class parallel_for_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(parallel_for_on);

TEST_P(parallel_for_on, calls_every_number_once) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> calls(n);
    run([&](const auto& fork) {
      auto f = [&](std::size_t i) { ++calls[i]; };
      parallel_for_with(fork, counted(0, n), f, {});
    });
    EXPECT_EQ(calls, std::vector<int>(n, 1));
  }
}

TEST_P(parallel_for_on, in_blocks_that_are_never_empty) {
  for (const std::size_t n : filch::test::sizes()) {
    std::vector<int> calls(n);
    run([&](const auto& fork) {
      auto f = [&](std::size_t from, std::size_t to) {
        EXPECT_LT(from, to);
        for (; from != to; ++from) ++calls[from];
      };
      parallel_for_blocks_with(fork, counted(0, n), f, {});
    });
    EXPECT_EQ(calls, std::vector<int>(n, 1));
  }
}

TEST_P(parallel_for_on, makes_no_part_smaller_than_the_grain) {
  for (const std::size_t n : filch::test::sizes(5000)) {
    const std::size_t grain = 1 + random().bounded(300);
    run([&](const auto& fork) {
      auto f = [&](std::size_t from, std::size_t to) { EXPECT_GE(to - from, std::min(grain, n)); };
      parallel_for_blocks_with(fork, counted(0, n), f, {.grain = grain});
    });
  }
}

TEST_P(parallel_for_on, two_dimensions_are_two_nested_loops) {
  for (const auto& size : {std::pair(0, 5), {5, 0}, {1, 1}, {1, 1000}, {1000, 1}, {37, 41}}) {
    const int rows = size.first;
    const int columns = size.second;
    std::vector<int> calls(static_cast<std::size_t>(rows * columns));
    run([&](const auto& fork) {
      auto f = [&](int i, int j) { ++calls[static_cast<std::size_t>((i + 3) * columns + j - 2)]; };
      parallel_for_with(fork, counted(-3, rows - 3), counted(2, columns + 2), f, {});
    });
    EXPECT_EQ(calls, std::vector<int>(calls.size(), 1));
  }
}

TEST_P(parallel_for_on, three_dimensions_are_three_nested_loops) {
  for (const auto& size : {std::tuple(3, 0, 2), {1, 1, 1}, {5, 7, 11}, {1, 40, 3}, {100, 1, 2}}) {
    const int planes = std::get<0>(size);
    const int rows = std::get<1>(size);
    const int columns = std::get<2>(size);
    std::vector<int> calls(static_cast<std::size_t>(planes * rows * columns));
    run([&](const auto& fork) {
      auto f = [&](int i, int j, int k) {
        ++calls[static_cast<std::size_t>((i * rows + j - 1) * columns + k)];
      };
      parallel_for_with(fork, counted(0, planes), counted(1, rows + 1), counted(0, columns), f, {});
    });
    EXPECT_EQ(calls, std::vector<int>(calls.size(), 1));
  }
}

TEST_P(parallel_for_on, throws_what_the_lowest_number_threw_and_skips_what_has_not_started) {
  for (int round = 0; round < 200; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto rarity = 1 + random().bounded(2000);
    std::mutex mutex;
    std::vector<std::uint32_t> thrown;
    std::atomic<std::size_t> calls = 0;
    run([&](const auto& fork) {
      auto f = [&](std::uint32_t i) {
        ++calls;
        if ((i * 2654435761u) % rarity != 0) return;
        const std::scoped_lock lock(mutex);
        thrown.push_back(i);
        throw i;
      };
      try {
        parallel_for_with(fork, counted(0u, n), f, {});
        EXPECT_TRUE(thrown.empty());
        EXPECT_EQ(calls, n);
      } catch (std::uint32_t i) {
        EXPECT_EQ(i, *std::min_element(thrown.begin(), thrown.end()));
        EXPECT_EQ(filch::suppressed().size(), thrown.size() - 1);
      }
    });
  }
}

TEST_P(parallel_for_on, a_stop_skips_what_has_not_started_and_throws_cancelled) {
  for (int round = 0; round < 100; ++round) {
    const auto n = 1 + random().bounded(3000);
    const auto when = random().bounded(2 * n);
    std::stop_source source;
    std::atomic<std::size_t> calls = 0;
    bool stopped = false;
    run([&](const auto& fork) {
      auto f = [&](std::uint32_t i) {
        ++calls;
        if (i == when) source.request_stop();
      };
      try {
        parallel_for_with(fork, counted(0u, n), f, {.stop = source.get_token()});
      } catch (const filch::cancelled&) {
        stopped = true;
      }
    });
    EXPECT_EQ(stopped, calls < n);
    EXPECT_TRUE(!stopped || when < n);
  }
}

TEST_P(parallel_for_on, tells_its_progress_to_one_thread_at_a_time_up_to_the_total) {
  for (const std::size_t n : filch::test::sizes(20'000)) {
    std::atomic<int> inside = 0;
    std::size_t last = 0;  // not atomic: the calls are ordered
    run([&](const auto& fork) {
      auto f = [](std::size_t) {};
      const auto progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(++inside, 1);
        EXPECT_EQ(total, n);
        EXPECT_LT(last, done);
        last = done;
        --inside;
      };
      parallel_for_with(fork, counted(0, n), f, {.progress = progress});
    });
    EXPECT_EQ(last, n);
  }
}

TEST(parallel_for, gives_the_common_type_of_its_ends) {
  parallel_for(0, std::size_t{3},
               [](auto i) { static_assert(std::is_same_v<decltype(i), std::size_t>); });
  parallel_for(short{0}, 3L, [](auto i) { static_assert(std::is_same_v<decltype(i), long>); });
  std::atomic<int> sum = 0;
  parallel_for(std::int8_t{-128}, std::int8_t{127}, [&](std::int8_t i) { sum += i; });
  EXPECT_EQ(sum, -255);
}

TEST(parallel_for, does_nothing_if_the_last_is_not_larger_than_the_first) {
  const auto never = [](auto) { ADD_FAILURE(); };
  parallel_for(3, 3, never);
  parallel_for(3, -3, never);
  parallel_for(std::size_t{3}, -1, never);
  parallel_for(0u, std::numeric_limits<int>::min(), never);
  filch::parallel_for_blocks(3, 2, [](int, int) { ADD_FAILURE(); });
}

TEST(parallel_for, counts_from_the_lowest_to_the_highest_number_there_is) {
  std::stop_source source;
  std::atomic<std::int64_t> first = 0;
  const auto stop = [&](std::int64_t i) {
    if (i < first) first = i;
    source.request_stop();
  };
  filch::pool alone(1);
  EXPECT_THROW(parallel_for(std::numeric_limits<std::int64_t>::min(),
                            std::numeric_limits<std::int64_t>::max(), stop,
                            {.grain = 1, .stop = source.get_token(), .on = &alone}),
               filch::cancelled);
  EXPECT_EQ(first, std::numeric_limits<std::int64_t>::min());
}

TEST(parallel_for, more_pairs_than_can_be_counted_are_an_error) {
  const auto huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(parallel_for(0, huge, 0, 3, [](std::int64_t, int) {}), filch::usage_error);
}

/// An expensive first item: while number 0 blocks, other threads run the rest of the loop.
TEST(parallel_for, whatever_lies_behind_a_number_that_blocks_is_stolen) {
  filch::pool p(2);
  filch::test::watch(p);
  p.install([&] {
    constexpr std::size_t n = 1000;
    std::atomic<std::size_t> done = 0;
    parallel_for(std::size_t{0}, n, [&](std::size_t i) {
      // The numbers in the same leaf have to wait: perhaps no thread was hungry at first.
      if (i == 0) filch::test::until([&] { return done >= n - 64; });
      ++done;
    });
    EXPECT_EQ(done, n);
  });
}

TEST(parallel_for, runs_on_the_pool_of_the_options) {
  filch::pool p(2);
  filch::test::watch(p);
  std::atomic<int> elsewhere = 0;
  parallel_for(0, 1000, [&](int) { elsewhere += filch::this_worker::pool() != &p; }, {.on = &p});
  EXPECT_EQ(elsewhere, 0);
}

TEST(parallel_for, an_outside_thread_takes_part) {
  std::atomic<int> calls = 0;
  parallel_for(0, 1000, [&](int) { ++calls; });
  EXPECT_EQ(calls, 1000);
}

TEST(parallel_for, of_any_priority_and_isolated_does_all_the_same) {
  for (const auto level : {filch::priority::high, filch::priority::normal, filch::priority::low})
    for (const bool isolated : {false, true}) {
      std::atomic<int> calls = 0;
      const auto loop = [&] {
        parallel_for(0, 100, [&](int) { ++calls; }, {.priority = level, .isolate = isolated});
      };
      loop();
      filch::default_pool().install(loop);
      EXPECT_EQ(calls, 200);
    }
  EXPECT_THROW(parallel_for(0, 1, [](int) {}, {.priority = static_cast<filch::priority>(7)}),
               filch::usage_error);
}

/// Character types are numbers too.
TEST(parallel_for, counts_with_characters) {
  const auto letters = [](auto first, auto last) {
    std::atomic<int> sum = 0;
    filch::parallel_for(first, last, [&](auto c) { sum += static_cast<int>(c - first) + 1; });
    return sum.load();
  };
  EXPECT_EQ(letters('a', 'e'), 10);
  EXPECT_EQ(letters(L'a', L'e'), 10);
  EXPECT_EQ(letters(u8'a', u8'e'), 10);
  EXPECT_EQ(letters(u'a', u'e'), 10);
  EXPECT_EQ(letters(U'a', U'e'), 10);
  EXPECT_EQ(letters('e', 'a'), 0);
  EXPECT_EQ(letters(static_cast<signed char>(-2), u8'\x02'), 10);
  EXPECT_EQ(letters(u8'\x02', static_cast<signed char>(-2)), 0);
}

TEST(parallel_for, nothing_times_very_much_is_nothing) {
  const std::size_t much = std::size_t{1} << 40;
  const std::size_t none = 0;
  std::atomic<int> calls = 0;
  const auto call = [&](auto...) { ++calls; };
  filch::parallel_for(none, none, none, much, call);
  filch::parallel_for(none, much, none, none, call);
  filch::parallel_for(none, none, none, much, none, much, call);
  filch::parallel_for(none, much, none, none, none, much, call);
  filch::parallel_for(none, much, none, much, none, none, call);
  EXPECT_EQ(calls, 0);
  EXPECT_THROW(filch::parallel_for(none, much, none, much, 0, 1, call), filch::usage_error);
}

}  // namespace
