// Pools that wait for each other, and threads that start and end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/team.hpp"

using filch::pool;
using filch::test::gate;
using filch::test::until;

namespace {

/// Are all workers of `p` asleep?
bool asleep(const pool& p) {
  for (const auto* w : p.core()->participants.snapshot())
    if (!w->is_guest() && w->state.doing() != filch::detail::activity::sleeping) return false;
  return true;
}

}  // namespace

TEST(several_pools, a_worker_of_one_is_an_outsider_to_the_other) {
  pool a(2), b(2);
  EXPECT_EQ(a.install([&] { return b.install([] { return filch::this_worker::pool(); }); }), &b);
  EXPECT_EQ(
      a.submit([&] { return b.submit([] { return filch::this_worker::pool(); }).get(); }).get(),
      &b);
}

// Pitfall 33: with one worker each, every wait must help, or the circle stands still.
TEST(several_pools, waiting_for_each_other_with_one_worker_each) {
  pool a(1), b(1);
  for (int round = 0; round < 500; ++round)
    ASSERT_EQ(
        a.install([&] { return b.install([&] { return a.submit([] { return 7; }).get(); }); }), 7);
}

TEST(several_pools, circles_of_three) {
  pool a(1), b(1), c(1);
  ASSERT_EQ(a.install([&] {
    return b.install([&] {
      return c.install([&] {
        return a.install([&] { return b.install([&] { return c.install([] { return 3; }); }); });
      });
    });
  }),
            3);
}

TEST(several_pools, from_both_sides_at_once) {
  pool a(2), b(2);
  filch::test::team(4, [&](std::size_t n) {
    pool& mine = n % 2 == 0 ? a : b;
    pool& other = n % 2 == 0 ? b : a;
    for (int i = 0; i < 200; ++i) {
      const int got = mine.install(
          [&] { return other.install([&] { return mine.submit([i] { return i; }).get(); }); });
      ASSERT_EQ(got, i);
    }
  }).join();
}

TEST(several_pools, a_join_stays_in_its_pool) {
  pool a(2), b(2);
  a.install([&] {
    for (int i = 0; i < 100; ++i) {
      const auto [x, y] =
          filch::join([&] { return b.install([] { return filch::this_worker::pool(); }); },
                      [] { return filch::this_worker::pool(); });
      ASSERT_EQ(x, &b);
      ASSERT_EQ(y, &a);
    }
  });
}

TEST(several_pools, made_inside_each_other) {
  EXPECT_EQ(pool(1).install([] {
    pool inner(1);
    return inner.install([] {
      pool innermost(1);
      return innermost.submit([] { return 5; }).get();
    });
  }),
            5);
}

// S4. Worker 0 sleeps in a wait. It is woken for a job, and at the same time for the end of its
// wait. Whichever it handles, the job must not be left while worker 1 sleeps.
TEST(wake_ups, one_that_comes_with_the_end_of_a_wait_is_passed_on) {
  for (int round = 0; round < 300; ++round) {
    pool p({.threads = 2, .idle = filch::idle::power});
    filch::detail::latch awaited;
    gate ran;
    auto waiter = p.submit([&] {
      filch::detail::wait_for(awaited);
      ran.pass();  // busy until another thread runs the job
    });
    until([&] { return asleep(p); });
    p.detach([&] { ran.open(); });
    filch::detail::latch::set(awaited);
    waiter.get();
  }
}

// The same with a guest: it leaves, and must not take the wake-up with it.
TEST(wake_ups, one_that_a_guest_got_is_not_lost_when_it_leaves) {
  for (int round = 0; round < 300; ++round) {
    gate begun, stolen;
    pool p({.threads = 2, .idle = filch::idle::power});
    filch::scope s({.on = &p});
    std::atomic<bool> leave = false;
    s.spawn([&] {
      begun.open();
      while (!leave) std::this_thread::yield();
    });
    begun.pass();
    p.detach([&] {
      p.detach([&] { stolen.open(); });  // wakes the guest or the other worker
      leave = true;                      // and the guest's wait is over
      stolen.pass();
    });
    s.wait();
    stolen.pass();
  }
}

// Pitfall 23: a task that a worker submits wakes the others.
TEST(wake_ups, local_work_wakes_a_sleeping_worker) {
  pool p({.threads = 2, .idle = filch::idle::power});
  for (int round = 0; round < 500; ++round) {
    p.install([&] {
      gate ran;
      p.detach([&] { ran.open(); });
      ran.pass();
    });
  }
}

// Pitfall 24: the second job must start while the first still runs.
TEST(wake_ups, a_thread_that_finds_work_wakes_the_next_before_running_it) {
  pool p({.threads = 3, .idle = filch::idle::power});
  for (int round = 0; round < 200; ++round) {
    until([&] { return asleep(p); });
    std::atomic<int> inside = 0;
    const auto meet = [&] {
      ++inside;
      until([&] { return inside >= 3; });
    };
    p.submit_batch(std::vector<std::function<void()>>(3, meet));
    p.wait_idle();
  }
}

// ---- threads that end ---------------------------------------------------------------------------

namespace {

/// Destroyed after all thread_local objects that were made later on its thread.
struct last_words {
  std::function<void()> call;
  ~last_words() {
    if (call) call();
  }
};

last_words& at_thread_end() {
  thread_local last_words words;
  return words;
}

}  // namespace

TEST(thread_end, a_thread_local_destructor_may_submit_and_wait) {
  std::atomic<int> sum = 0;
  pool p(1);
  filch::test::team(4, [&](std::size_t) {
    at_thread_end().call = [&] {
      for (int i = 0; i < 20; ++i) sum += p.submit([] { return 1; }).get();
      sum += filch::join([] { return 1; }, [] { return 1; }).second;
    };
    for (int i = 0; i < 20; ++i) sum += p.submit([] { return 1; }).get();
  }).join();
  EXPECT_EQ(sum, 4 * 41);
}

// The parker of a thread is used again by others once the thread is gone, but not before.
TEST(thread_end, a_wait_in_a_thread_local_destructor_shares_its_parker_with_no_other_thread) {
  namespace detail = filch::detail;
  detail::parker& sleeper = detail::borrow_parker();
  detail::return_parker(sleeper);  // the next to sleep gets it
  detail::latch first, mine, others;
  std::thread ending([&] {
    at_thread_end().call = [&] {
      std::thread another([&] { detail::wait_for(others); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::thread setter([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        detail::latch::set(mine);
      });
      detail::wait_for(mine);
      setter.join();
      detail::latch::set(others);
      another.join();
    };
    detail::wait_for(first);
  });
  until([&] { return sleeper.is_asleep(); });
  detail::latch::set(first);
  ending.join();
}

TEST(thread_end, exceptions_reach_thread_local_destructors) {
  pool p(1);
  int thrown = 0;
  std::thread([&] {
    at_thread_end().call = [&] {
      try {
        p.install([] { filch::join([] { throw 1; }, [] { throw 2; }); });
      } catch (int n) {
        thrown = n;
      }
    };
    EXPECT_THROW(p.install([] { throw 1; }), int);
  }).join();
  EXPECT_EQ(thrown, 1);
}

// A worker's thread_local objects are destroyed when it is not a worker any more.
TEST(thread_end, a_thread_local_destructor_of_a_worker_may_use_other_pools) {
  std::atomic<int> got = 0;
  pool other(1);
  {
    pool p(2);
    p.broadcast([&] {
      at_thread_end().call = [&] {
        EXPECT_EQ(filch::this_worker::pool(), nullptr);
        got += other.submit([] { return 1; }).get();
      };
    });
  }
  EXPECT_EQ(got, 2);
}
