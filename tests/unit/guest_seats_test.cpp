// A call of an outside thread runs on as many threads at once as there are seats.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
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
