// options::max_workers: how many threads run one call.
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

#include "filch/algorithm/bridge.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/errors.hpp"
#include "filch/isolate.hpp"
#include "filch/participation.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/default_pool_of.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/locks.hpp"

using filch::parallel_for;
using filch::pool;
using filch::scope;
using filch::test::bodies;
using filch::test::default_pool_of;
using filch::test::gate;
using filch::test::until;

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

TEST(max_workers, holds_for_a_scope_that_an_outside_thread_opens_in_the_first_body) {
  const default_pool_of four(4);
  for (int round = 0; round < 20; ++round) {
    bodies here;
    parallel_for(0, 1,
                 [&](int) {
                   scope inner;
                   for (int i = 0; i < 16; ++i) inner.spawn([&] { here.run(200); });
                   EXPECT_EQ(inner.async([] { return 7; }).get(), 7);
                   inner.wait();
                 },
                 {.max_workers = round % 2 == 0 ? 1u : 2u});
    ASSERT_LE(here.most(), round % 2 == 0 ? 1 : 2);
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

namespace {

/// Calls `use` outside of every pool, on a worker and as a guest; isolated, too.
template <class F>
void call_everywhere(const F& use) {
  use();
  filch::isolate(use);
  filch::default_pool().install(use);
  filch::default_pool().install([&] { filch::isolate(use); });
  const filch::participation here(filch::default_pool());
  use();
  filch::isolate(use);
}

}  // namespace

TEST(max_workers, a_future_of_a_scope_of_one_thread_can_be_waited_for_first) {
  for (const std::size_t threads : {1u, 2u}) {
    const default_pool_of some(threads, 0);
    const auto use = [] {
      scope s({.max_workers = 1});
      auto f = s.async([] { return 7; });
      EXPECT_EQ(f.get(), 7);
      s.wait();
    };
    call_everywhere(use);
  }
}

TEST(max_workers, a_task_of_a_scope_of_one_thread_can_wait_for_another_one) {
  for (const std::size_t threads : {1u, 2u}) {
    const default_pool_of some(threads, 0);
    const auto use = [] {
      scope s({.max_workers = 1});
      auto first = s.async([] { return 7; });
      auto second = s.async([&] { return first.get() + s.async([] { return 1; }).get(); });
      s.wait();
      EXPECT_EQ(second.get(), 8);
    };
    call_everywhere(use);
  }
}

// The maker has a region of its own, and keeps its tasks there until it takes part.
TEST(max_workers, a_task_of_a_scope_may_wait_for_another_one_while_the_maker_waits_for_its_future) {
  for (const std::size_t threads : {1u, 2u})
    for (const filch::priority level : {filch::priority::normal, filch::priority::high}) {
      const default_pool_of some(threads, 0);
      const auto use = [&] {
        scope s({.priority = level, .max_workers = 1});
        auto first = s.async([&] { return s.async([] { return 7; }).get(); });
        EXPECT_EQ(first.get(), 7);
        s.wait();
      };
      call_everywhere(use);
      pool other(1);
      filch::test::watch(other);
      const auto use_from_outside = [&] {
        scope s({.priority = level, .on = &other, .max_workers = 1});
        auto first = s.async([&] { return s.async([] { return 7; }).get(); });
        EXPECT_EQ(first.get(), 7);
        s.wait();
      };
      filch::default_pool().install([&] { filch::isolate(use_from_outside); });
    }
}

// The guest takes the only seat before the task waits, and keeps it.
TEST(max_workers, a_task_of_an_isolated_scope_gets_what_it_waits_for_without_a_seat) {
  const default_pool_of one(1, 0);
  for (const std::size_t most : {1u, 2u}) {
    gate guest_is_there;
    std::atomic<bool> began = false, over = false;
    auto f = filch::submit([&] {
      filch::isolate([&] {
        scope s({.max_workers = most});
        s.spawn([&] {
          began = true;
          guest_is_there.pass();
          EXPECT_EQ(s.async([] { return 7; }).get(), 7);
        });
        s.wait();
      });
      over = true;
    });
    until([&] { return began.load(); });
    const filch::participation here(filch::default_pool());
    guest_is_there.open();
    until([&] { return over.load(); });
    f.get();
  }
}

// The worker has begun a task before the maker comes.
TEST(max_workers, a_scope_in_a_pool_of_one_worker_never_runs_two_tasks_at_once) {
  const default_pool_of one(1);
  for (int round = 0; round < 12; ++round) {
    const auto use = [round] {
      bodies here;
      std::atomic<bool> began = false;
      scope s({.max_workers = 2});
      s.spawn([&] {
        here.run([&] {
          began = true;
          for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::microseconds(50));
        });
      });
      for (int i = 0; i < 8; ++i) s.spawn([&] { here.nap(); });
      until([&] { return began.load(); });
      s.wait();
      ASSERT_EQ(here.most(), 1) << "round " << round;
    };
    round % 2 == 0 ? use() : filch::isolate(use);
  }
}

// The maker's region has the task that the sleeper waits for; the sleeper is in the limited one.
TEST(max_workers, a_task_that_sleeps_in_an_isolated_scope_is_woken_for_the_next_task_of_the_scope) {
  const default_pool_of two(2, 0);
  pool& p = filch::default_pool();
  for (int round = 0; round < 10; ++round)
    p.install([&] {
      filch::isolate([&] {
        const std::size_t other = 1 - *filch::this_worker::index();
        std::atomic<bool> began = false;
        gate ended;
        filch::promise<int> source;
        scope s({.max_workers = 1});
        s.spawn([&] {
          began = true;
          EXPECT_EQ(source.get_future().get(), 7);
          ended.open();
        });
        until([&] { return began.load(); });
        until([&] { return filch::test::sleeps(p, other); });
        s.spawn([&] { source.set_value(7); });
        ended.pass();
        s.wait();
      });
    });
}

TEST(max_workers, a_scope_whose_maker_holds_a_lock_that_the_workers_want_ends) {
  for (const bool isolated : {false, true}) {
    const default_pool_of one(1);
    std::mutex wanted;
    std::atomic<int> ran = 0;
    {
      const std::scoped_lock lock(wanted);
      std::atomic<bool> inside = false;
      filch::detach([&] {
        inside = true;
        const std::scoped_lock here(wanted);
      });
      until([&] { return inside.load(); });
      const auto use = [&] {
        scope s({.max_workers = 1});
        for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
        s.wait();
      };
      isolated ? filch::isolate(use) : use();
    }
    EXPECT_EQ(ran, 10);
  }
}

namespace {

/// Calls `outer` on `caller`'s thread, outside of the pool and on a worker: at most `most` threads
/// may be in `here` at once.
template <class Outer>
void expect_at_most(std::size_t most, Outer outer) {
  for (const bool inside : {false, true})
    for (int round = 0; round < 3; ++round) {
      bodies here;
      inside ? filch::default_pool().install([&] { outer(here); }) : outer(here);
      EXPECT_LE(here.most(), static_cast<int>(most));
    }
}

void loop_of_naps(bodies& here, const filch::options& o) {
  parallel_for(
      0, 8, [&](int) { here.nap(); }, o);
}

}  // namespace

TEST(max_workers, holds_for_isolated_calls_inside) {
  const default_pool_of four(4);
  for (const std::size_t most : {1u, 2u}) {
    const filch::options limited{.grain = 1, .max_workers = most};
    expect_at_most(most, [&](bodies& here) {
      parallel_for(
          0, 4, [&](int) { filch::isolate([&] { loop_of_naps(here, {.grain = 1}); }); }, limited);
    });
    expect_at_most(most, [&](bodies& here) {
      parallel_for(
          0, 4, [&](int) { loop_of_naps(here, {.grain = 1, .isolate = true}); }, limited);
    });
    expect_at_most(most, [&](bodies& here) {
      parallel_for(
          0, 4,
          [&](int) {
            scope s({.isolate = true});
            for (int i = 0; i < 8; ++i) s.spawn([&] { here.nap(); });
            s.wait();
          },
          limited);
    });
    expect_at_most(most, [&](bodies& here) {
      scope s({.max_workers = most});
      for (int i = 0; i < 4; ++i)
        s.spawn([&] { filch::isolate([&] { loop_of_naps(here, {.grain = 1}); }); });
      s.wait();
    });
  }
}

TEST(max_workers, holds_for_loops_in_the_items_of_a_bridge) {
  const default_pool_of four(4);
  for (const std::size_t most : {1u, 2u})
    expect_at_most(most, [&](bodies& here) {
      int left = 6;
      filch::bridge([&]() { return left > 0 ? std::optional(left--) : std::nullopt; },
                    [&](int) { loop_of_naps(here, {.grain = 1}); }, {.max_workers = most});
    });
}

TEST(max_workers, of_nested_calls_is_the_smaller_one) {
  const default_pool_of four(4);
  for (const std::size_t outer : {1u, 2u, 3u})
    for (const std::size_t inner : {1u, 2u}) {
      expect_at_most(outer, [&](bodies& here) {
        parallel_for(0, 3,
                     [&](int) {
                       bodies mine;
                       parallel_for(0, 8,
                                    [&](int) {
                                      mine.run(0);
                                      here.nap();
                                    },
                                    {.grain = 1, .max_workers = inner});
                       EXPECT_LE(mine.most(), static_cast<int>(inner));
                       scope s({.max_workers = inner});
                       for (int i = 0; i < 8; ++i) s.spawn([&] { here.nap(); });
                       s.wait();
                     },
                     {.grain = 1, .max_workers = outer});
      });
    }
}

TEST(max_workers, may_be_together_with_a_priority_in_a_scope) {
  const default_pool_of four(4);
  for (const std::size_t most : {1u, 2u})
    expect_at_most(most, [&](bodies& here) {
      std::atomic<int> ran = 0;
      scope s({.priority = filch::priority::high, .max_workers = most});
      auto first = s.async([&] { return ++ran; });
      first.wait();
      for (int i = 0; i < 8; ++i)
        s.spawn([&] {
          here.nap();
          ++ran;
          s.spawn([&] {
            loop_of_naps(here, {.grain = 1});
            ++ran;
          });
        });
      s.wait();
      EXPECT_EQ(ran, 17);
    });
}

TEST(max_workers, says_nothing_of_scopes_of_another_pool_inside) {
  const default_pool_of one(1);
  pool other(1);
  const auto use = [&] {
    int ran = 0;
    for (const filch::options& o : {filch::options{.on = &other, .isolate = true},
                                    filch::options{.on = &other, .max_workers = 1}})
      parallel_for(0, 1,
                   [&](int) {
                     filch::isolate([&] {
                       scope s(o);
                       s.spawn([&] { ++ran; });
                       s.wait();
                     });
                   },
                   {.max_workers = 1});
    EXPECT_EQ(ran, 2);
  };
  use();
  filch::default_pool().install(use);
}

TEST(max_workers, a_task_that_was_submitted_in_an_isolated_call_does_not_wait_for_a_place_in_it) {
  pool one({.threads = 1, .max_spares = 2});
  filch::test::watch(one);
  int sum = 0;
  const auto body = [&] {
    auto before = filch::submit([] { return 1; });
    sum += filch::isolate([&] { return before.get(); });  // may not run it
    gate opened;
    auto opening = filch::submit([&] {
      opened.open();
      return 2;
    });
    filch::blocking([&] { opened.pass(); });
    sum += opening.get();
  };
  one.install([&] {
    parallel_for(0, 1, [&](int) { body(); }, {.isolate = true, .max_workers = 1});
    filch::isolate([&] {
      scope s({.max_workers = 1});
      s.spawn(body);
      s.wait();
    });
    parallel_for(0, 1, [&](int) { filch::isolate(body); }, {.max_workers = 1});
  });
  EXPECT_EQ(sum, 9);
}

TEST(max_workers, a_future_of_a_scope_of_another_pool_can_be_waited_for_in_a_loop_of_one_thread) {
  const default_pool_of one(1);
  pool other(1);
  filch::test::watch(other);
  parallel_for(0, 1,
               [&](int) {
                 scope s({.on = &other});
                 auto first = s.async([] { return 1; });
                 EXPECT_EQ(first.get(), 1);
                 s.wait();
               },
               {.max_workers = 1});
}

TEST(max_workers, is_refused_for_tasks_and_for_isolated_scopes_with_what_to_do) {
  EXPECT_THROW(filch::detach([] {}, {.max_workers = 2}), filch::usage_error);
  try {
    const scope both({.isolate = true, .max_workers = 2});
    FAIL();
  } catch (const filch::usage_error& e) {
    EXPECT_NE(std::string(e.what()).find("filch::isolate()"), std::string::npos) << e.what();
  }
}
