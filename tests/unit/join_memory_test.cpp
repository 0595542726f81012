// What join allocates, and what it does not.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <new>
#include <tuple>

#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/allocations.hpp"
#include "support/hang_guard.hpp"
#include "support/parkers.hpp"

using filch::join;
using filch::pool;
using filch::test::allocations;
using filch::test::fail_allocation;

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = join([&] { return fib(n - 1); }, [&] { return fib(n - 2); });
  return a + b;
}

long fib_by_three(int n) {
  if (n < 3) return n < 2 ? n : 1;
  // f(n) = f(n-2) + f(n-3) + f(n-2)
  const auto [a, b, c] =
      join([&] { return fib_by_three(n - 2); }, [&] { return fib_by_three(n - 3); },
           [&] { return fib_by_three(n - 2); });
  return a + b + c;
}

}  // namespace

TEST(join, allocates_nothing_in_the_steady_state) {
  for (const std::size_t threads : {1u, 2u, 3u}) {
    pool p(threads);
    filch::test::store_a_parker();
    p.install([] {
      (void)fib(12);
      const std::size_t before = allocations().made;
      EXPECT_EQ(fib(16), 987);
      EXPECT_EQ(fib_by_three(16), fib(16));
      EXPECT_EQ(allocations().made - before, 0u);
    });
  }
}

// A guest's slot is made once and used again.
TEST(join, from_outside_allocates_nothing_in_the_steady_state) {
  filch::configure_default_pool({.threads = 2});
  (void)fib(12);
  const std::size_t before = allocations().made;
  EXPECT_EQ(fib(14), 377);
  EXPECT_EQ(allocations().made - before, 0u);
  filch::shutdown_default_pool();
}

// The stack of branches has 65536 slots. Deeper branches still run, on their own thread, and
// without a call of operator new.
constexpr int deeper_than_the_stack_of_branches = 70'000;

#if FILCH_TSAN
#define SKIP_WHERE_CALLS_CANNOT_NEST_SO_DEEP \
  GTEST_SKIP() << "ThreadSanitizer dies when 65536 calls are nested"
#else
#define SKIP_WHERE_CALLS_CANNOT_NEST_SO_DEEP
#endif

TEST(join, runs_the_branch_itself_beyond_the_end_of_the_stack_of_branches) {
  SKIP_WHERE_CALLS_CANNOT_NEST_SO_DEEP;
  for (const std::size_t threads : {1u, 3u}) {
    std::atomic<int> calls = 0;
    pool p({.threads = threads, .stack_size = 512u << 20});
    std::function<void(int)> deep = [&](int n) {
      if (n == 0) return;
      join([&] { deep(n - 1); }, [&] { ++calls; });
    };
    p.install([&] {
      for (int round = 0; round < 2; ++round) {
        const fail_allocation all(1, fail_allocation::for_ever);
        deep(deeper_than_the_stack_of_branches);
      }
    });
    EXPECT_EQ(calls, 2 * deeper_than_the_stack_of_branches);
  }
}

// Four branches wait on each level: the stack ends in the middle of a level.
TEST(join, of_five_beyond_the_end_of_the_stack_of_branches) {
  SKIP_WHERE_CALLS_CANNOT_NEST_SO_DEEP;
  constexpr int levels = deeper_than_the_stack_of_branches / 4;
  for (const std::size_t threads : {1u, 3u}) {
    std::atomic<int> calls = 0;
    pool p({.threads = threads, .stack_size = 512u << 20});
    const auto leaf = [&] { ++calls; };
    std::function<void(int)> deep = [&](int n) {
      if (n == 0) return;
      join([&] { deep(n - 1); }, leaf, leaf, leaf, leaf);
    };
    p.install([&] { join([&] { deep(levels); }, leaf); });
    EXPECT_EQ(calls, 4 * levels + 1);
  }
}

TEST(join, beyond_the_end_of_the_stack_of_branches_throws_what_its_branches_throw) {
  SKIP_WHERE_CALLS_CANNOT_NEST_SO_DEEP;
  std::atomic<int> calls = 0;
  pool p({.threads = 1, .stack_size = 512u << 20});
  std::function<void(int)> deep = [&](int n) {
    if (n == 0) throw 7;
    join([&] { deep(n - 1); }, [&] { ++calls; });
  };
  p.install([&] { EXPECT_THROW(deep(deeper_than_the_stack_of_branches), int); });
  EXPECT_EQ(calls, deeper_than_the_stack_of_branches);
}

TEST(pool, a_task_that_cannot_be_allocated_is_not_accepted) {
  pool p(1);
  int ran = 0;
  {
    const fail_allocation next(1);
    EXPECT_THROW(p.detach([&] { ++ran; }), std::bad_alloc);
  }
  {
    const fail_allocation next(1);
    EXPECT_THROW((void)p.submit([&] { ++ran; }), std::bad_alloc);
  }
  {
    filch::scope s({.on = &p});
    const fail_allocation all(1, fail_allocation::for_ever);
    EXPECT_THROW(s.spawn([&] { ++ran; }), std::bad_alloc);
  }
  p.wait_idle();
  EXPECT_EQ(ran, 0);
}

// Pitfall 34: whichever allocation fails, all of a batch runs or nothing.
TEST(pool, a_batch_for_which_memory_does_not_suffice_is_refused_as_a_whole) {
  pool p(2);
  for (std::size_t k = 1;; ++k) {
    std::atomic<int> ran = 0;
    std::vector<std::function<void()>> batch(20, [&] { ++ran; });
    bool failed = false;
    {
      const fail_allocation one(k);
      try {
        p.submit_batch(batch);
      } catch (const std::bad_alloc&) {
        failed = true;
      }
    }
    p.wait_idle();
    ASSERT_EQ(ran, failed ? 0 : 20);
    if (!failed) break;
  }
}

TEST(pool, a_broadcast_for_which_memory_does_not_suffice_reaches_no_worker) {
  pool p(3);
  for (std::size_t k = 1;; ++k) {
    std::atomic<int> ran = 0;
    bool failed = false;
    {
      const fail_allocation one(k);
      try {
        p.broadcast([&] { ++ran; });
      } catch (const std::bad_alloc&) {
        failed = true;
      }
    }
    p.wait_idle();
    ASSERT_EQ(ran, failed ? 0 : 3);
    if (!failed) break;
  }
}

// What is made once and kept (parkers, the watchdog's thread) shows in the first rounds. What a
// pool leaves behind would show in every round.
TEST(pool, leaves_nothing_behind) {
  const auto live_after_a_pool = [] {
    {
      pool p(3);
      for (int i = 0; i < 100; ++i) {
        p.detach([] {});
        (void)p.submit([] { return 1; });
      }
    }
    return allocations().live_blocks;
  };
  std::size_t before = live_after_a_pool();
  for (int round = 0; round < 10; ++round) {
    const std::size_t after = live_after_a_pool();
    if (after == before) return;
    before = after;
  }
  FAIL() << "every pool leaves something behind";
}
