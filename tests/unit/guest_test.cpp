// An outside thread that waits in its own call takes part in it, and in nothing else.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

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

// ---- seats --------------------------------------------------------------------------------------

TEST(guest, with_one_worker_a_loop_from_outside_never_runs_two_bodies_at_once) {
  const default_pool_of one(1);
  for (int round = 0; round < 400; ++round) {
    bodies here;
    if (round % 2 == 0) filch::submit([] {}).get();  // the worker still looks for work
    parallel_for(0, 64, [&](int) { here.run(200); }, {.grain = 1});
    ASSERT_EQ(here.most(), 1) << "round " << round;
  }
}

TEST(guest, one_caller_never_has_more_bodies_at_once_than_there_are_workers) {
  for (const std::size_t threads : {2u, 3u}) {
    const default_pool_of some(threads);
    for (int round = 0; round < 300; ++round) {
      bodies here;
      if (round % 2 == 0) filch::default_pool().broadcast([](std::size_t) {});  // all wake
      parallel_for(0, 256, [&](int) { here.run(200); }, {.grain = 1});
      ASSERT_LE(here.most(), static_cast<int>(threads)) << "round " << round;
      bodies tasks;
      {
        scope s;
        for (int i = 0; i < 64; ++i) s.spawn([&] { tasks.run(200); });
        s.wait();
      }
      ASSERT_LE(tasks.most(), static_cast<int>(threads)) << "round " << round;
    }
  }
}

TEST(guest, callers_beyond_the_number_of_workers_add_only_themselves) {
  const default_pool_of two(2);
  constexpr int callers = 4;
  for (int round = 0; round < 20; ++round) {
    bodies here;
    std::atomic<int> ready = 0;
    const auto call = [&] {
      const filch::participation stays(filch::default_pool());
      ++ready;
      while (ready < callers) std::this_thread::yield();  // from now on they have all seats
      parallel_for(0, 256, [&](int) { here.run(200); }, {.grain = 1});
      ++ready;
      while (ready < 2 * callers) std::this_thread::yield();
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < callers; ++i) threads.emplace_back(call);
    for (std::thread& t : threads) t.join();
    ASSERT_LE(here.most(), callers) << "round " << round;
  }
}

TEST(guest, with_one_thread_by_the_environment_a_call_never_runs_two_bodies_at_once) {
  struct one_thread {
    one_thread() { ::setenv("FILCH_NUM_THREADS", "1", 1); }
    ~one_thread() { ::unsetenv("FILCH_NUM_THREADS"); }
  };
  const one_thread by_environment;
  const default_pool_of chosen(0);
  ASSERT_EQ(filch::default_pool().size(), 1u);
  for (int round = 0; round < 50; ++round) {
    bodies here;
    parallel_for(0, 64, [&](int) { here.run(200); }, {.grain = 1, .isolate = round % 2 == 0});
    ASSERT_EQ(here.most(), 1) << "round " << round;
  }
}

// The worker has begun a task before its maker comes, and spawns more that the maker could take.
TEST(guest, that_comes_while_a_task_of_its_scope_has_the_only_seat_runs_none_beside_it) {
  pool p(1);
  filch::test::watch(p);
  for (int round = 0; round < 8; ++round) {
    bodies here;
    std::atomic<bool> has_spawned = false;
    scope s({.on = &p, .isolate = round % 2 == 0});
    const auto task = [&] {
      for (int i = 0; i < 8; ++i) s.spawn([&] { here.nap(); });
      has_spawned = true;
      for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::microseconds(50));
    };
    s.spawn([&] { here.run(task); });
    until([&] { return has_spawned.load(); });
    if (round < 4)
      s.wait();
    else
      until([&] { return s.wait_for(std::chrono::seconds(0)); });
    ASSERT_EQ(here.most(), 1) << "round " << round;
  }
}

// The worker has no spare to help with what the maker has not begun.
TEST(guest, that_waits_for_a_seat_leaves_its_tasks_to_a_worker_that_polls_for_them) {
  pool p({.threads = 1, .max_spares = 0});
  filch::test::watch(p);
  for (int round = 0; round < 20; ++round) {
    gate second_is_there;
    filch::future<int> second;
    scope s({.on = &p});
    s.spawn([&] {
      second_is_there.pass();
      while (!second.wait_for(std::chrono::seconds(0)))
        ;
    });
    until([&] { return p.metrics().workers[0].jobs > static_cast<std::uint64_t>(round); });
    second = s.async([] { return 7; });
    second_is_there.open();
    s.wait();
    EXPECT_EQ(second.get(), 7);
  }
}

TEST(guest, that_keeps_the_only_seat_does_not_keep_a_broadcast_waiting) {
  const default_pool_of one(1);
  for (int round = 0; round < 50; ++round) {
    std::atomic<bool> ran = false;
    filch::join(
        [&] {
          filch::default_pool().broadcast([&](std::size_t) { ran = true; });
          until([&] { return ran.load(); });
        },
        [] {});
  }
}

// The guest sleeps while workers run its call on all seats, and wakes when one of them sets its
// latch. That one may have taken another part by then.
TEST(guest, that_wakes_in_its_call_waits_until_a_worker_leaves_it_a_seat) {
  const default_pool_of two(2);
  for (int round = 0; round < 100; ++round) {
    bodies here;
    const auto body = [&](int i) { here.run(i % 3 == 0 ? 4000 : 200); };
    const auto call = [&](int) {
      for (int k = 0; k < 2; ++k) parallel_for(0, 6, body, {.grain = 1});
    };
    parallel_for(0, 3, call, {.grain = 1, .isolate = round % 2 == 0});
    ASSERT_LE(here.most(), 2) << "round " << round;
  }
}

TEST(guest, that_sleeps_or_blocks_leaves_its_seat_to_a_worker) {
  const default_pool_of one(1);
  std::atomic<bool> ran = false;
  filch::join(
      [&] {
        filch::detach([&] { ran = true; });
        filch::blocking([&] { until([&] { return ran.load(); }); });
      },
      [] {});
  EXPECT_TRUE(ran);
}

TEST(guest, a_task_that_waits_for_a_seat_runs_when_the_guest_has_left) {
  const default_pool_of one(1);
  for (int round = 0; round < 300; ++round) {
    std::atomic<bool> ran = false;
    filch::join([&] { filch::default_pool().detach([&] { ran = true; }); }, [] {});
    until([&] { return ran.load(); });
  }
}

TEST(guest, a_task_of_a_scope_that_no_thread_waits_for_runs_when_a_guest_has_left) {
  pool p(1);
  filch::test::watch(p);
  for (int round = 0; round < 100; ++round) {
    std::optional<filch::participation> other;
    other.emplace(p);
    std::thread maker([&] {
      scope s({.on = &p});
      auto f = s.async([] { return 7; });
      EXPECT_EQ(f.get(), 7);
    });
    std::this_thread::yield();
    other.reset();
    maker.join();
  }
}

TEST(guest, keeps_its_tasks_when_a_wait_for_a_time_ends) {
  pool p(1);
  filch::test::watch(p);
  const occupied busy(p);
  std::atomic<int> ran = 0;
  scope s({.on = &p});
  for (int i = 0; i < 3; ++i) s.spawn([&] { ++ran; });
  (void)s.wait_for(std::chrono::seconds(0));
  s.wait();  // the worker is busy all the time
  EXPECT_EQ(ran, 3);
}

TEST(guest, many_outside_threads_come_and_go) {
  const default_pool_of two(2);
  std::atomic<long long> sum = 0;
  std::vector<std::thread> outside;
  for (int t = 0; t < 8; ++t)
    outside.emplace_back([&, t] {
      for (int round = 0; round < 100; ++round) {
        if ((round + t) % 3 == 0) {
          sum += tree(7);
        } else if ((round + t) % 3 == 1) {
          std::atomic<int> n = 0;
          scope s;
          for (int i = 0; i < 128; ++i) s.spawn([&] { ++n; });
          s.wait();
          sum += n;
        } else {
          std::atomic<int> n = 0;
          parallel_for(0, 128, [&](int) { ++n; }, {.grain = 4});
          sum += n;
        }
      }
    });
  for (std::thread& t : outside) t.join();
  EXPECT_EQ(sum, 8 * 100 * 128);
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
