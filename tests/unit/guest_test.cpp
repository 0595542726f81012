// An outside thread that waits in its own call takes part in it, and in nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/countdown.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"
#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::gate;
using filch::test::occupied;
using filch::test::until;

namespace {

/// A default pool of so many workers, for as long as this lives.
class default_pool_of {
 public:
  explicit default_pool_of(std::size_t threads, std::size_t max_spares = 256) {
    filch::shutdown_default_pool();
    filch::configure_default_pool({.threads = threads, .max_spares = max_spares});
    filch::test::watch(filch::default_pool());
  }
  default_pool_of(const default_pool_of&) = delete;
  default_pool_of& operator=(const default_pool_of&) = delete;
  ~default_pool_of() {
    filch::shutdown_default_pool();
    filch::configure_default_pool({});
  }
};

/// The most bodies that were inside of it at once.
class bodies {
 public:
  void run(int steps) {
    const int now = ++inside_;
    for (int seen = most_; seen < now && !most_.compare_exchange_weak(seen, now);) {
    }
    for (int i = 0; i < steps; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    --inside_;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_ = 0, most_ = 0;
};

long long tree(int depth) {
  if (depth == 0) return 1;
  const auto [a, b] = filch::join([=] { return tree(depth - 1); }, [=] { return tree(depth - 1); });
  return a + b;
}

}  // namespace

// ---- strangers' jobs ----------------------------------------------------------------------------

TEST(guest, a_scope_from_outside_runs_no_strangers_task_while_it_waits) {
  std::atomic<int> own = 0, strangers = 0;
  pool p(2);
  occupied busy(p);
  for (int i = 0; i < 20; ++i) p.detach([&] { ++strangers; });
  scope s({.on = &p});
  for (int i = 0; i < 4; ++i) s.spawn([&] { ++own; });
  s.wait();
  EXPECT_EQ(own, 4);
  EXPECT_EQ(strangers, 0);
}

TEST(guest, a_loop_from_outside_runs_no_strangers_task) {
  const default_pool_of two(2);
  const auto here = std::this_thread::get_id();
  std::atomic<int> strangers_here = 0;
  std::atomic<bool> over = false;
  // Strangers that spawn strangers: there are always some to take.
  for (int i = 0; i < 4; ++i)
    filch::detach([&] {
      while (!over)
        filch::scoped([&](scope& s) {
          for (int k = 0; k < 8; ++k)
            s.spawn([&] { strangers_here += std::this_thread::get_id() == here ? 1 : 0; });
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
  EXPECT_EQ(strangers_here, 0);
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

TEST(guest, a_task_of_a_scope_that_nobody_waits_for_runs_when_a_guest_has_left) {
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

// ---- limits -------------------------------------------------------------------------------------

TEST(limit, changes_how_many_threads_work_at_once) {
  const default_pool_of four(4);
  pool& p = filch::default_pool();
  for (const std::size_t most : {1u, 2u, 4u, 3u, 1u, 0u}) {
    p.limit(most);
    for (int round = 0; round < 50; ++round) {
      bodies here;
      parallel_for(0, 128, [&](int) { here.run(100); }, {.grain = 1});
      if (round > 0) {
        ASSERT_LE(here.most(), static_cast<int>(most == 0 ? 4 : most));
      }
    }
  }
  EXPECT_THROW(p.limit(5), filch::usage_error);
}

TEST(limit, that_is_raised_lets_work_begin_that_waits) {
  gate both;
  std::atomic<int> began = 0;
  pool p(2);
  filch::test::watch(p);
  p.limit(1);
  for (int i = 0; i < 2; ++i)
    p.detach([&] {
      if (++began == 2) both.open();
      both.pass();  // needs two threads
    });
  until([&] { return began == 1; });
  p.limit(2);
  p.wait_idle();
  EXPECT_EQ(began, 2);
}

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

TEST(guest, is_not_late_because_a_body_that_waits_for_a_scope_runs_a_strangers_task) {
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

TEST(guest, a_wait_inside_of_blocking_has_one_seat_and_gives_it_back) {
  const default_pool_of one(1);
  filch::default_pool().install(
      [] { filch::blocking([] { EXPECT_EQ(filch::submit([] { return 1; }).get(), 1); }); });
  const auto& seats = filch::default_pool().core()->wakes.sleeping();
  filch::default_pool().wait_idle();
  until([&] { return seats.free_seats() == 1; });
}

TEST(max_workers, is_the_most_threads_that_run_a_loop) {
  for (const std::size_t threads : {1u, 3u}) {
    const default_pool_of some(threads);
    for (const std::size_t most : {1u, 2u, 3u, 9u})
      for (const bool isolate : {false, true})
        for (int round = 0; round < 30; ++round) {
          bodies here;
          std::atomic<int> sum = 0;
          const auto body = [&](int i) {
            sum += i;
            here.run(100);
          };
          const filch::options o{.grain = 1, .isolate = isolate, .max_workers = most};
          if (round % 2 == 0)
            parallel_for(0, 128, body, o);
          else
            filch::default_pool().install([&] { parallel_for(0, 128, body, o); });
          ASSERT_EQ(sum, 8128);
          ASSERT_LE(here.most(), static_cast<int>(std::min(most, threads)));
        }
  }
}

TEST(max_workers, of_several_loops_at_once_are_independent) {
  const default_pool_of three(3);
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([t] {
      for (int round = 0; round < 50; ++round) {
        bodies here;
        parallel_for(0, 64, [&](int) { here.run(100); },
                     {.grain = 1, .max_workers = static_cast<std::size_t>(t % 2 + 1)});
        ASSERT_LE(here.most(), t % 2 + 1);
      }
    });
  for (std::thread& t : callers) t.join();
}

TEST(max_workers, of_a_loop_says_nothing_of_what_its_bodies_submit_or_spawn_elsewhere) {
  const default_pool_of three(3);
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> ran = 0;
    scope outer;
    parallel_for(0, 32,
                 [&](int i) {
                   if (i % 2 == 0)
                     filch::detach([&] { ++ran; });
                   else
                     outer.spawn([&] { ++ran; });
                 },
                 {.grain = 1, .max_workers = 2});
    outer.wait();
    filch::default_pool().wait_idle();
    ASSERT_EQ(ran, 32);
  }
}

TEST(max_workers, holds_for_the_scopes_that_the_bodies_of_a_loop_open) {
  const default_pool_of four(4);
  for (int round = 0; round < 20; ++round) {
    bodies here;
    parallel_for(0, 16,
                 [&](int) {
                   scope inner;
                   for (int i = 0; i < 8; ++i) inner.spawn([&] { here.run(200); });
                   inner.wait();
                 },
                 {.grain = 1, .max_workers = 2});
    ASSERT_LE(here.most(), 2);
  }
}

TEST(max_workers, is_the_most_threads_that_run_the_tasks_of_a_scope) {
  const default_pool_of four(4);
  for (const std::size_t most : {1u, 2u, 3u})
    for (int round = 0; round < 30; ++round) {
      bodies here;
      std::atomic<int> ran = 0;
      const auto spawn_and_wait = [&] {
        scope s({.max_workers = most});
        const auto task = [&] {
          here.run(100);
          ++ran;
        };
        for (int i = 0; i < 32; ++i)
          s.spawn([&] {
            task();
            s.spawn(task);
          });
        std::thread([&] { s.spawn(task); }).join();
        if (round % 3 == 0) (void)s.wait_for(std::chrono::microseconds(50));
        s.wait();
      };
      if (round % 2 == 0)
        spawn_and_wait();
      else
        filch::default_pool().install(spawn_and_wait);
      ASSERT_EQ(ran, 65);
      ASSERT_LE(here.most(), static_cast<int>(most));
    }
}

TEST(max_workers, of_a_scope_that_a_thread_of_another_pool_made_is_for_the_workers) {
  const default_pool_of two(2);
  pool other(1);
  std::atomic<int> ran = 0;
  other.install([&] {
    scope s({.on = &filch::default_pool(), .max_workers = 1});
    for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
    s.wait();
  });
  EXPECT_EQ(ran, 10);
}

TEST(max_workers, means_nothing_for_a_task) {
  EXPECT_THROW(filch::detach([] {}, {.max_workers = 2}), filch::usage_error);
  EXPECT_THROW(scope({.isolate = true, .max_workers = 2}), filch::usage_error);
  EXPECT_THROW(scope({.priority = filch::priority::low, .max_workers = 2}), filch::usage_error);
}

TEST(slot, no_two_threads_have_the_same_at_once) {
  const default_pool_of two(2);
  const std::size_t most = filch::default_pool().max_slots();
  std::vector<std::atomic<int>> inside(most);
  const auto body = [&](int) {
    const auto slot = filch::this_worker::slot();
    ASSERT_TRUE(slot && *slot < most && filch::this_worker::takes_part());
    ASSERT_EQ(++inside[*slot], 1);
    --inside[*slot];
  };
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) parallel_for(0, 64, body, {.grain = 1});
    });
  for (std::thread& t : callers) t.join();
  EXPECT_FALSE(filch::this_worker::slot());
  EXPECT_FALSE(filch::this_worker::takes_part());
}

TEST(max_guests, an_outside_thread_beyond_it_works_alone) {
  filch::shutdown_default_pool();
  filch::configure_default_pool({.threads = 1, .max_guests = 0});
  std::atomic<int> sum = 0;
  parallel_for(0, 64, [&](int i) { sum += filch::this_worker::takes_part() ? 0 : i; });
  EXPECT_EQ(sum, 2016);
  scope s;
  for (int i = 0; i < 8; ++i) s.spawn([&] { sum += filch::this_worker::index() ? 1 : 0; });
  s.wait();
  EXPECT_EQ(sum, 2024);
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

TEST(participation, keeps_a_thread_a_guest_with_one_slot) {
  pool p(2);
  {
    const filch::participation here(p);
    ASSERT_TRUE(filch::this_worker::takes_part());
    const auto slot = filch::this_worker::slot();
    EXPECT_EQ(tree(8), 256);
    std::atomic<int> sum = 0;
    parallel_for(0, 100, [&](int i) { sum += i; }, {.grain = 1});
    EXPECT_EQ(sum, 4950);
    EXPECT_EQ(p.install([] { return filch::this_worker::index().has_value(); }), false)
        << "a guest installs in place";
    EXPECT_EQ(filch::this_worker::slot(), slot);
    const filch::participation again(p);  // does nothing
    pool other(1);
    EXPECT_THROW(filch::participation{other}, filch::usage_error);
  }
  EXPECT_FALSE(filch::this_worker::takes_part());
}

// ---- deadlines ----------------------------------------------------------------------------------

TEST(deadline, that_has_passed_skips_what_has_not_started) {
  const filch::options late{.deadline = std::chrono::steady_clock::now()};
  int ran = 0;
  EXPECT_THROW(parallel_for(
                   0, 100, [&](int) { ++ran; }, late),
               filch::cancelled);
  auto f = filch::submit([&] { ++ran; }, late);
  EXPECT_THROW(f.get(), filch::cancelled);
  filch::detach([&] { ++ran; }, late);
  filch::default_pool().wait_idle();
  scope s(late);
  s.spawn([&] { ++ran; });
  auto of_scope = s.async([&] { return ++ran; });
  s.wait();
  EXPECT_THROW(of_scope.get(), filch::cancelled);
  EXPECT_EQ(ran, 0);
}

TEST(deadline, says_so_and_one_far_away_changes_nothing) {
  try {
    parallel_for(0, 100, [](int) {}, {.deadline = std::chrono::steady_clock::now()});
    FAIL() << "it ran";
  } catch (const filch::cancelled& e) {
    EXPECT_NE(std::string(e.what()).find("deadline"), std::string::npos) << e.what();
  }
  std::atomic<int> sum = 0;
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  parallel_for(0, 100, [&](int i) { sum += i; }, {.deadline = later});
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(filch::submit([] { return 7; }, {.deadline = later}).get(), 7);
}

TEST(scope_wait, for_a_time_says_whether_all_tasks_have_ended) {
  for (const bool isolate : {false, true})
    for (const bool inside : {false, true}) {
      pool p(2);
      filch::test::watch(p);
      const auto use = [&] {
        gate leave;
        scope s({.on = &p, .isolate = isolate});
        std::atomic<int> ran = 0;
        EXPECT_TRUE(s.wait_for(std::chrono::seconds(0)));
        s.spawn([&] {
          ++ran;
          leave.pass();
        });
        until([&] { return ran == 1; });
        EXPECT_FALSE(s.wait_for(std::chrono::milliseconds(1)));
        EXPECT_FALSE(s.wait_until(std::chrono::system_clock::now()));
        s.spawn([&] { ++ran; });
        leave.open();
        while (!s.wait_for(std::chrono::milliseconds(1))) continue;
        EXPECT_EQ(ran, 2);
        s.spawn([] { throw 7; });
        EXPECT_THROW((void)s.wait_until(std::chrono::steady_clock::time_point::max()), int);
      };
      inside ? p.install(use) : use();
    }
}

TEST(countdown, waits_for_whatever_counts_and_helps_meanwhile) {
  pool p(1);
  filch::test::watch(p);
  EXPECT_EQ(p.install([&] {
    filch::countdown left(1);
    left.add(2);
    int ran = 0;
    for (int i = 0; i < 2; ++i)
      filch::detach([&] {  // the only worker waits below, so it runs these meanwhile
        ++ran;
        left.count_down();
      });
    left.count_down();
    left.wait();
    left.wait();  // at zero it returns at once
    return ran;
  }),
            2);
  filch::countdown left(2);
  std::vector<std::thread> waiting;
  for (int t = 0; t < 2; ++t) waiting.emplace_back([&] { left.wait(); });
  p.detach([&] { left.count_down(2); });
  for (std::thread& t : waiting) t.join();
  EXPECT_THROW(left.count_down(), filch::usage_error);
  EXPECT_THROW(filch::countdown(-1), filch::usage_error);
}
