// How many threads work at once, and what bounds them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/countdown.hpp"
#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/default_pool_of.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::bodies;
using filch::test::default_pool_of;
using filch::test::gate;
using filch::test::tree;
using filch::test::until;

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
