// An outside thread that waits in its own call takes part in it, and in nothing else.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/default_pool_of.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::bodies;
using filch::test::default_pool_of;
using filch::test::gate;
using filch::test::occupied;
using filch::test::tree;
using filch::test::until;

// ---- jobs of other callers ----------------------------------------------------------------------

TEST(guest, a_scope_from_outside_runs_no_task_of_others_while_it_waits) {
  std::atomic<int> own = 0, of_others = 0;
  pool p(2);
  occupied busy(p);
  for (int i = 0; i < 20; ++i) p.detach([&] { ++of_others; });
  scope s({.on = &p});
  for (int i = 0; i < 4; ++i) s.spawn([&] { ++own; });
  s.wait();
  EXPECT_EQ(own, 4);
  EXPECT_EQ(of_others, 0);
}

TEST(guest, a_loop_from_outside_runs_no_task_of_others) {
  const default_pool_of two(2);
  const auto here = std::this_thread::get_id();
  std::atomic<int> of_others_here = 0;
  std::atomic<bool> over = false;
  // Tasks of others that spawn more: there are always some to take.
  for (int i = 0; i < 4; ++i)
    filch::detach([&] {
      while (!over)
        filch::scoped([&](scope& s) {
          for (int k = 0; k < 8; ++k)
            s.spawn([&] { of_others_here += std::this_thread::get_id() == here ? 1 : 0; });
        });
    });
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> sum = 0;
    parallel_for(0, 64, [&](int i) { sum += i; }, {.grain = 1});
    ASSERT_EQ(sum, 2016);
    ASSERT_EQ(tree(6), 64);
  }
  over = true;
  filch::default_pool().wait_idle();
  EXPECT_EQ(of_others_here, 0);
}

TEST(guest, a_scope_from_outside_runs_no_task_of_another_scope_of_the_same_thread) {
  std::atomic<int> first = 0, second = 0;
  pool p(1);
  occupied busy(p);
  scope a({.on = &p});
  for (int i = 0; i < 4; ++i) a.spawn([&] { ++first; });
  scope b({.on = &p});
  for (int i = 0; i < 4; ++i) b.spawn([&] { ++second; });
  b.wait();
  EXPECT_EQ(second, 4);
  EXPECT_EQ(first, 0);
  a.wait();
  EXPECT_EQ(first, 4);
}

// Continuations between the tasks of a scope would hide these from the guest, which sees only the
// newest and the oldest job of its deque.
TEST(guest, leaves_continuations_to_the_workers_and_finds_its_own_tasks) {
  std::atomic<int> own = 0, of_others = 0;
  pool p(1);
  filch::test::watch(p);
  const auto make_continuation = [&] {
    filch::promise<void> source;
    auto f = source.get_future().then([&] { ++of_others; });
    source.set_value();
  };
  {
    const occupied busy(p);
    const filch::participation here(p);
    scope s({.on = &p});
    make_continuation();
    s.spawn([&] { ++own; });
    make_continuation();
    s.spawn([&] { ++own; });
    make_continuation();
    s.wait();
    EXPECT_EQ(own, 2);
    EXPECT_EQ(of_others, 0);
  }
  p.wait_idle();
  EXPECT_EQ(of_others, 3);
}

TEST(guest, workers_steal_from_it_and_it_takes_part_of_its_call_back) {
  const default_pool_of two(2);
  std::atomic<int> by_workers = 0;
  // One body at least runs on a worker: the caller waits in a body until another one has begun.
  gate other_began;
  parallel_for(0, 2,
               [&](int) {
                 if (filch::this_worker::index()) {
                   ++by_workers;
                   other_began.open();
                 } else {
                   other_began.pass();
                 }
               },
               {.grain = 1});
  EXPECT_EQ(by_workers, 1);
}

TEST(guest, submits_from_its_bodies_are_for_the_workers_and_can_be_waited_for) {
  const default_pool_of one(1, 0);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> sum = 0;
    parallel_for(0, 8, [&](int i) { sum += filch::submit([=] { return i; }).get(); }, {.grain = 1});
    ASSERT_EQ(sum, 28);
  }
}

// ---- locks --------------------------------------------------------------------------------------

TEST(guest, that_holds_a_lock_may_call_an_isolated_loop_while_every_worker_waits_for_the_lock) {
  const default_pool_of two(2);
  std::mutex lock;
  std::atomic<int> waiting = 0, sum = 0;
  {
    const std::scoped_lock held(lock);
    for (int i = 0; i < 2; ++i)
      filch::detach([&] {
        ++waiting;
        const std::scoped_lock mine(lock);
      });
    until([&] { return waiting == 2; });
    filch::isolate([&] { parallel_for(0, 100, [&](int i) { sum += i; }, {.grain = 1}); });
    parallel_for(0, 100, [&](int i) { sum += i; }, {.grain = 1, .isolate = true});
    filch::scoped([&](scope& s) { s.spawn([&] { sum += 100; }); }, {.isolate = true});
  }
  filch::default_pool().wait_idle();
  EXPECT_EQ(sum, 10000);
}

TEST(guest, that_holds_a_lock_may_call_a_loop_whose_bodies_do_not_wait) {
  const default_pool_of two(2);
  std::mutex lock;
  std::atomic<bool> over = false;
  for (int i = 0; i < 2; ++i)
    filch::detach([&] {
      while (!over)
        filch::scoped([&](scope& s) {
          for (int k = 0; k < 8; ++k) s.spawn([&] { const std::scoped_lock mine(lock); });
        });
    });
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> sum = 0;
    const std::scoped_lock held(lock);
    parallel_for(0, 64, [&](int i) { sum += i; }, {.grain = 1});
    ASSERT_EQ(sum, 2016);
  }
  over = true;
  filch::default_pool().wait_idle();
}

// The others that run the call wait for the lock, so none of them will leave a seat.
TEST(guest, that_holds_a_lock_over_blocking_does_not_wait_for_a_seat) {
  for (const int threads : {1, 2}) {
    const default_pool_of some(static_cast<std::size_t>(threads));
    for (int round = 0; round < 20; ++round) {
      std::mutex out;
      std::atomic<int> began = 0;
      parallel_for(0, threads + 1,
                   [&](int) {
                     ++began;
                     const std::scoped_lock held(out);
                     filch::blocking([&] { until([&] { return began > threads; }); });
                   },
                   {.grain = 1});
      ASSERT_EQ(began, threads + 1);
    }
  }
}

TEST(guest, that_waits_for_a_condition_in_blocking_does_not_wait_for_a_seat_with_the_lock) {
  const default_pool_of one(1);
  for (int round = 0; round < 20; ++round) {
    std::mutex mutex;
    std::condition_variable changed;
    int began = 0;
    bool over = false;
    parallel_for(0, 2,
                 [&](int) {
                   std::unique_lock held(mutex);
                   if (++began == 1) {
                     filch::blocking([&] { changed.wait(held, [&] { return began == 2; }); });
                     over = true;
                   }
                   changed.notify_all();
                   while (!over) {  // keeps its seat
                     held.unlock();
                     std::this_thread::yield();
                     held.lock();
                   }
                 },
                 {.grain = 1});
    ASSERT_TRUE(over);
  }
}

// ---- limits -------------------------------------------------------------------------------------

// The worker that the guest's leaving wakes has not looked yet when the guest comes again.
TEST(guest, that_comes_and_goes_does_not_keep_submitted_tasks_waiting) {
  const default_pool_of one(1);
  std::atomic<int> sum = 0;
  for (int task = 0; task < 20; ++task) {
    const filch::future<void> f = filch::submit([] {});
    until([&] {
      parallel_for(0, 2, [&](int i) { sum += i; }, {.grain = 1});
      return f.ready();
    });
  }
  EXPECT_GE(sum, 20);
}

TEST(guest, a_timed_wait_for_a_scope_ends_although_all_seats_are_taken_by_its_tasks) {
  const default_pool_of two(2);
  gate end;
  std::atomic<int> began = 0;
  scope s;
  for (int i = 0; i < 2; ++i)
    s.spawn([&] {
      ++began;
      end.pass();
    });
  until([&] { return began == 2; });
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(s.wait_for(std::chrono::milliseconds(5)));
  end.open();
  s.wait();
}

// One worker runs the task that waits. The others have taken tasks when the guest comes: then there
// is one thread too many, and only one of them may wait for a seat.
TEST(guest, a_task_that_another_task_waits_for_does_not_wait_for_a_seat_that_is_free) {
  pool p(3);
  std::atomic<int> ended = 0;
  for (int round = 0; round < 3000; ++round) {
    std::atomic<bool> ran = false;
    scope s({.on = &p});
    for (int i = 0; i < 16; ++i)
      s.spawn([&, i] {
        if (i == 3) ran = true;
        while (i == 0 && !ran) std::this_thread::yield();
        ++ended;
      });
  }
  EXPECT_EQ(ended, 3000 * 16);
}

// The task is no part of the loop: when the guest of the loop leaves, it has not ended.
TEST(guest, that_leaves_wakes_a_worker_for_a_scope_whose_maker_does_not_wait) {
  const default_pool_of two(2);
  const auto& sleepers = filch::default_pool().core()->wakes.sleeping();
  gate fork;
  std::atomic<bool> started = false, forked = false, shared = false;
  scope s;
  s.spawn([&] {
    started = true;
    fork.pass();
    filch::join(
        [&] {
          forked = true;
          until([&] { return shared.load(); });
        },
        [&] { shared = true; });
  });
  until([&] { return started.load(); });
  parallel_for(0, 1, [&](int) {
    (void)filch::join(
        [&] {
          until([&] { return sleepers.count_hint() == 1; });
          fork.open();
          until([&] { return forked.load(); });
        },
        [] {});
  });
  until([&] { return shared.load(); });
  s.wait();
}

TEST(guest, is_not_late_because_a_body_that_waits_for_a_scope_runs_a_task_of_others) {
  const default_pool_of two(2);
  static thread_local bool in_body = false;
  std::atomic<int> late = 0;
  for (int round = 0; round < 20; ++round)
    parallel_for(0, 4,
                 [&](int) {
                   in_body = true;
                   for (int k = 0; k < 5; ++k)
                     filch::detach([&] {
                       if (in_body) ++late;
                     });
                   bodies busy;
                   scope inner;
                   for (int k = 0; k < 4; ++k) inner.spawn([&] { busy.run(2000); });
                   inner.wait();
                   in_body = false;
                 },
                 {.grain = 1});
  filch::default_pool().wait_idle();
  EXPECT_EQ(late, 0);
}

TEST(guest, is_not_late_because_a_body_that_polls_runs_a_task_of_others) {
  const default_pool_of two(2);
  static thread_local bool in_body = false;
  std::atomic<int> late = 0;
  for (int round = 0; round < 5; ++round)
    parallel_for(0, 4,
                 [&](int i) {
                   in_body = true;
                   bodies busy;
                   scope inner;
                   filch::future<void> f = filch::submit([] {});
                   for (int k = 0; k < 4; ++k) inner.spawn([&] { busy.run(2000); });
                   for (int k = 0; k < 5; ++k)
                     filch::detach([&] {
                       if (in_body) ++late;
                     });
                   if (i % 2 == 0)
                     while (!f.wait_for(std::chrono::seconds(0)))
                       ;
                   else
                     while (!inner.wait_for(std::chrono::seconds(0)))
                       ;
                   in_body = false;
                 },
                 {.grain = 1});
  filch::default_pool().wait_idle();
  EXPECT_EQ(late, 0);
}

TEST(guest, a_scope_of_a_participation_runs_on_the_thread_that_waits) {
  const default_pool_of one(1);
  const filch::participation here(filch::default_pool());
  const auto me = std::this_thread::get_id();
  std::atomic<int> on_me = 0;
  scope s;
  for (int i = 0; i < 10; ++i)
    s.spawn([&] {
      if (std::this_thread::get_id() == me) ++on_me;
    });
  s.wait();
  EXPECT_EQ(on_me, 10) << "there is one seat, and this thread has it";
}

TEST(guest, a_scope_may_be_waited_for_in_a_participation_that_began_later) {
  pool p(1);
  std::atomic<int> on_me = 0;
  std::thread([&] {
    const auto me = std::this_thread::get_id();
    scope s({.on = &p});
    const occupied busy(p);
    for (int i = 0; i < 10; ++i)
      s.spawn([&] { on_me += std::this_thread::get_id() == me ? 1 : 0; });
    const filch::participation here(p);
    s.wait();
  }).join();
  EXPECT_EQ(on_me, 10) << "the workers are busy";
}

TEST(guest, a_wait_inside_of_blocking_has_one_seat_and_gives_it_back) {
  const default_pool_of one(1);
  filch::default_pool().install(
      [] { filch::blocking([] { EXPECT_EQ(filch::submit([] { return 1; }).get(), 1); }); });
  const auto& seats = filch::default_pool().core()->wakes.sleeping();
  filch::default_pool().wait_idle();
  until([&] { return seats.free_seats() == 1; });
}
