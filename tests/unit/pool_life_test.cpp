// Waiting for a pool, closing it, and its end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/this_worker.hpp"
#include "support/asleep.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/team.hpp"

using filch::pool;
using filch::pool_closed;
using filch::usage_error;
using filch::test::gate;
using filch::test::occupied;
using filch::test::team;
using filch::test::until;
using namespace std::chrono_literals;

// ---- wait_idle ----------------------------------------------------------------------------------

TEST(wait_idle, returns_at_once_if_nothing_was_submitted) {
  pool p(2);
  p.wait_idle();
  EXPECT_TRUE(p.wait_idle_for(0s));
}

TEST(wait_idle, waits_for_what_was_accepted) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  EXPECT_FALSE(p.wait_idle_for(0s));
  EXPECT_FALSE(p.wait_idle_for(5ms));
  EXPECT_FALSE(p.wait_idle_for(-1h));
  busy.reset();
  p.wait_idle();
  EXPECT_TRUE(p.wait_idle_for(1h));
}

// Pitfall 17: each task submits the next before it ends, so at no moment is the pool idle.
TEST(wait_idle, is_not_fooled_by_tasks_that_submit_their_successor) {
  for (const std::size_t threads : {1u, 2u, 4u}) {
    std::atomic<int> left = 2000;
    pool p(threads);
    std::function<void()> step = [&] {
      if (--left > 0) p.detach(step);
    };
    p.detach(step);
    p.wait_idle();
    ASSERT_EQ(left, 0);
  }
}

TEST(wait_idle, covers_the_tasks_of_scopes) {
  pool p(2);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ran = 0;
    p.detach([&] {
      filch::scope s;
      for (int i = 0; i < 5; ++i)
        s.spawn([&] {
          ++ran;
          filch::scope inner;
          inner.spawn([&] { ++ran; });
        });
    });
    p.wait_idle();
    ASSERT_EQ(ran, 10);
  }
}

// The thread closes them together, after the last one.
TEST(wait_idle, covers_the_tasks_of_a_scope_that_a_thread_outside_runs_itself) {
  pool p(1);
  occupied busy(p);
  filch::scope s({.on = &p});
  std::atomic<int> ran = 0;
  for (int i = 0; i < 3; ++i)
    s.spawn([&] {
      if (++ran == 2) busy.leave();
      team(1, [&](std::size_t) { EXPECT_FALSE(p.wait_idle_for(0s)); }).join();
    });
  s.wait();
  EXPECT_EQ(ran, 3);
  p.wait_idle();
}

// Pitfall 18. Plain variables: TSan notices a missing edge.
TEST(wait_idle, what_tasks_did_is_seen_by_the_waiter) {
  pool p(3);
  std::vector<int> results(100, 0);
  for (int round = 1; round <= 20; ++round) {
    for (int& r : results) p.detach([&r, round] { r = round; });
    p.wait_idle();
    for (const int r : results) ASSERT_EQ(r, round);
  }
}

TEST(wait_idle, may_be_called_by_many_at_once) {
  std::atomic<int> ran = 0;
  pool p(2);
  for (int i = 0; i < 100; ++i) p.detach([&] { ++ran; });
  team(6, [&](std::size_t) {
    p.wait_idle();
    EXPECT_EQ(ran, 100);
  }).join();
}

TEST(wait_idle, on_an_own_worker_is_an_error_that_names_the_pool) {
  pool p({.threads = 2, .name = "render"});
  p.install([&] {
    try {
      p.wait_idle();
      FAIL();
    } catch (const usage_error& e) {
      EXPECT_NE(std::string(e.what()).find("render"), std::string::npos) << e.what();
    }
    EXPECT_THROW((void)p.wait_idle_for(1s), usage_error);
    EXPECT_THROW((void)p.wait_idle_for(0s), usage_error);
  });
  p.wait_idle();
}

TEST(wait_idle, by_way_of_another_pool_inside_an_own_task_is_an_error) {
  pool p(1), other(1), third(1);
  filch::test::watch(p);
  p.install([&] {
    other.install([&] {
      EXPECT_THROW(p.wait_idle(), usage_error);
      third.install([&] { EXPECT_THROW(p.wait_idle(), usage_error); });
      third.wait_idle();
    });
    other.wait_idle();
  });
  other.install([&] { p.wait_idle(); });
}

TEST(wait_idle, by_way_of_another_pool_inside_a_task_that_a_guest_runs_is_an_error) {
  pool p(filch::pool_options{.threads = filch::none}), other(1);
  filch::test::watch(other);
  filch::scope s({.on = &p});
  s.spawn([&] { other.install([&] { EXPECT_THROW(p.wait_idle(), usage_error); }); });
  s.wait();
}

TEST(pool_death_test, destroyed_by_way_of_another_pool_inside_an_own_task_says_so) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto destroy = [] {
    auto* const p = new pool({.threads = 1, .name = "render"});
    pool other(1);
    p->install([&] { other.install([&] { delete p; }); });
  };
  EXPECT_DEATH(destroy(), "pool 'render' was destroyed inside one of its own tasks");
}

TEST(wait_idle, on_a_worker_of_another_pool_helps_that_one) {
  pool a(1), b(1);
  EXPECT_EQ(a.install([&] {
    std::atomic<int> seen = 0;
    b.detach([&] { seen = a.submit([] { return 3; }).get(); });  // needs a's only worker
    b.wait_idle();
    return seen.load();
  }),
            3);
}

// ---- close --------------------------------------------------------------------------------------

TEST(close, refuses_submissions_from_outside_and_names_the_pool) {
  pool p({.threads = 1, .name = "render"});
  p.close();
  try {
    p.detach([] { FAIL(); });
    FAIL();
  } catch (const pool_closed& e) {
    EXPECT_NE(std::string(e.what()).find("render"), std::string::npos) << e.what();
  }
  EXPECT_THROW((void)p.submit([] {}), pool_closed);
  EXPECT_THROW(p.submit_batch(std::vector<std::function<void()>>(2, [] {})), pool_closed);
  EXPECT_THROW(p.broadcast([] {}), pool_closed);
  EXPECT_THROW(p.install([] {}), pool_closed);
  filch::scope s({.on = &p});
  EXPECT_THROW(s.spawn([] {}), pool_closed);
  EXPECT_THROW((void)s.async([] { return 1; }), pool_closed);
}

TEST(close, does_not_wait_and_runs_what_was_accepted) {
  std::atomic<int> ran = 0;
  {
    pool p(2);
    const occupied busy(p);
    for (int i = 0; i < 100; ++i) p.detach([&] { ++ran; });
    p.close();
    EXPECT_EQ(ran, 0);
  }
  EXPECT_EQ(ran, 100);
}

TEST(close, may_be_called_twice_and_from_a_task) {
  pool p(2);
  p.install([&] { p.close(); });
  p.close();
  p.wait_idle();
  EXPECT_EQ(p.size(), 2u);
}

// Pitfall 34: a refused task is destroyed, and has not run.
TEST(close, refused_tasks_are_destroyed_and_do_not_run) {
  auto held = std::make_shared<std::atomic<int>>(0);
  pool p(1);
  p.close();
  EXPECT_THROW(p.detach([held] { ++*held; }), pool_closed);
  EXPECT_THROW((void)p.submit([held] { ++*held; }), pool_closed);
  EXPECT_THROW(p.broadcast([held] { ++*held; }), pool_closed);
  EXPECT_THROW(p.submit_batch(std::vector<std::function<void()>>(4, [held] { ++*held; })),
               pool_closed);
  p.wait_idle();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, 0);
}

TEST(close, its_own_tasks_may_still_submit_in_every_way) {
  std::atomic<int> ran = 0;
  {
    gate closed;
    pool p(2);
    p.detach([&] {
      closed.pass();
      p.detach([&] { p.detach([&] { ++ran; }); });                            // 1
      p.submit([&] { ++ran; }).get();                                         // 2
      p.install([&] { ++ran; });                                              // 3
      filch::scoped([&](filch::scope& s) { s.spawn([&] { ++ran; }); });       // 4
      p.submit_batch(std::vector<std::function<void()>>(2, [&] { ++ran; }));  // 6
      p.broadcast([&] { ++ran; });                                            // 8
    });
    p.close();
    closed.open();
  }
  EXPECT_EQ(ran, 8);
}

// A task that a guest runs is the pool's own task like any other.
TEST(close, a_task_that_an_outside_thread_runs_may_still_submit) {
  std::atomic<int> ran = 0;
  {
    gate started, closed;
    pool p(1);
    const filch::test::occupied busy(p);
    std::thread closer([&] {
      started.pass();
      p.close();
      closed.open();
    });
    filch::scope s({.on = &p});
    s.spawn([&] {  // the worker is busy, so the guest runs this
      EXPECT_EQ(filch::this_worker::index(), std::nullopt);
      started.open();
      closed.pass();
      p.detach([&] { ++ran; });
    });
    s.wait();
    closer.join();
  }
  EXPECT_EQ(ran, 1);
}

// Each submission is either accepted and runs, or refused by pool_closed.
TEST(close, against_submissions_nothing_is_lost_and_nothing_runs_that_was_refused) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> ran = 0, accepted = 0;
    {
      pool p(2);
      team outsiders(3, [&](std::size_t n) {
        if (n == 0) return p.close();
        try {
          for (int i = 0; i < 1000; ++i) {
            if (i % 4 == 0) {
              p.submit_batch(std::vector<std::function<void()>>(3, [&] { ++ran; }));
              accepted += 3;
            } else {
              p.detach([&] { ++ran; });
              ++accepted;
            }
          }
        } catch (const pool_closed&) {
        }
      });
      outsiders.join();
    }
    ASSERT_EQ(ran, accepted);
  }
}

// ---- the end ------------------------------------------------------------------------------------

// Pitfall 29.
TEST(pool_end, runs_everything_that_was_accepted) {
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    std::atomic<int> ran = 0;
    {
      pool p(threads);
      for (int i = 0; i < 1000; ++i)
        p.detach([&] {
          ++ran;
          p.detach([&] { ++ran; });
        });
    }
    ASSERT_EQ(ran, 2000);
  }
}

// The workers sleep when the guest leaves, and it has ended its last task before.
TEST(pool_end, does_not_hang_because_a_guest_left_after_close) {
  gate started, closed;
  pool p(2);
  filch::test::watch(p);
  std::optional<occupied> busy(std::in_place, p);  // so only the guest can take its task
  std::thread guest([&] {
    filch::scope s({.on = &p});
    s.spawn([&] {
      started.open();
      closed.pass();
    });
    s.wait();
  });
  started.pass();
  busy.reset();
  filch::test::until_asleep(p);
  p.close();
  closed.open();
  guest.join();
}

TEST(pool_end, a_future_outlives_its_pool) {
  filch::future<std::string> f;
  {
    pool p(1);
    f = p.submit([] { return std::string("late"); });
  }
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), "late");
}

TEST(pool_end, a_scope_outlives_its_pool) {
  auto p = std::make_unique<pool>(2);
  filch::scope s({.on = p.get()});
  int ran = 0;
  s.spawn([&] { ran = 1; });
  p.reset();
  EXPECT_EQ(ran, 1);
  EXPECT_THROW(s.spawn([&] { ran = 2; }), pool_closed);
  s.wait();
  EXPECT_EQ(ran, 1);
}

TEST(pool_end, a_scope_that_outlives_its_pool_still_delivers) {
  auto p = std::make_unique<pool>(1);
  filch::scope s({.on = p.get()});
  s.spawn([] { throw std::out_of_range("late"); });
  p.reset();
  EXPECT_THROW(s.wait(), std::out_of_range);
}

TEST(pool_end, destroyed_by_a_task_of_another_pool_that_its_tasks_need) {
  std::atomic<int> got = 0;
  pool outer(1);
  outer.install([&] {
    pool inner(1);
    inner.detach([&] { got = outer.submit([] { return 7; }).get(); });
  });
  EXPECT_EQ(got, 7);
}

TEST(pool_end_death_test, on_an_own_worker_is_an_error_that_names_it) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto* p = new pool({.threads = 1, .name = "render"});
        p->install([&] { delete p; });
      },
      "takes part in it.*render-0");
}

// ---- hooks --------------------------------------------------------------------------------------

TEST(pool_hooks, run_first_and_last_on_every_worker) {
  std::mutex mutex;
  std::vector<std::size_t> started, stopped;
  std::vector<std::thread::id> starters(3), stoppers(3);
  {
    pool p({.threads = 3,
            .on_start =
                [&](std::size_t i) {
                  EXPECT_EQ(filch::this_worker::index(), i);
                  const std::scoped_lock lock(mutex);
                  started.push_back(i);
                  starters[i] = std::this_thread::get_id();
                },
            .on_stop =
                [&](std::size_t i) {
                  const std::scoped_lock lock(mutex);
                  stopped.push_back(i);
                  stoppers[i] = std::this_thread::get_id();
                }});
    std::atomic<int> ran = 0;
    p.broadcast([&](std::size_t i) {
      const std::scoped_lock lock(mutex);
      EXPECT_EQ(starters[i], std::this_thread::get_id());
      ++ran;
    });
    p.wait_idle();
    EXPECT_EQ(ran, 3);
    EXPECT_TRUE(stopped.empty());
  }
  EXPECT_EQ(started.size(), 3u);
  EXPECT_EQ(stopped.size(), 3u);
  EXPECT_EQ(starters, stoppers);
}

TEST(pool_hooks, one_that_throws_goes_to_on_exception) {
  std::atomic<int> caught = 0;
  {
    pool p({.threads = 2,
            .on_start = [](std::size_t) { throw 1; },
            .on_stop = [](std::size_t) { throw 2; },
            .on_exception = [&](const std::exception_ptr&) { ++caught; }});
    EXPECT_EQ(p.submit([] { return 3; }).get(), 3);
  }
  EXPECT_EQ(caught, 4);
}

// on_stop is too late for work: a task is refused or run, but never accepted and lost.
TEST(pool_hooks, what_on_stop_submits_is_refused_or_run) {
  std::atomic<int> refused = 0, ran = 0;
  pool* the_pool = nullptr;
  auto held = std::make_shared<int>();
  {
    pool p({.threads = 2, .on_stop = [&](std::size_t) {
              try {
                the_pool->detach([&ran, held] { ++ran; });
              } catch (const pool_closed&) {
                ++refused;
              }
            }});
    the_pool = &p;
  }
  EXPECT_EQ(refused + ran, 2);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(pool_hooks, what_on_start_submits_runs) {
  std::atomic<int> ran = 0;
  std::atomic<pool*> the_pool = nullptr;
  {
    pool p({.threads = 2, .on_start = [&](std::size_t) {
              until([&] { return the_pool != nullptr; });
              the_pool.load()->detach([&] { ++ran; });
            }});
    the_pool = &p;
  }
  EXPECT_EQ(ran, 2);
}

// ---- exceptions that no thread waits for --------------------------------------------------------

TEST(on_exception, gets_what_detached_tasks_throw) {
  std::mutex mutex;
  std::vector<std::string> messages;
  pool p({.threads = 2, .on_exception = [&](const std::exception_ptr& e) {
            const std::scoped_lock lock(mutex);
            try {
              std::rethrow_exception(e);
            } catch (const std::exception& error) {
              messages.emplace_back(error.what());
            }
          }});
  for (int i = 0; i < 10; ++i) p.detach([] { throw std::runtime_error("oh"); });
  p.wait_idle();
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(messages, std::vector<std::string>(10, "oh"));
}

TEST(on_exception, gets_what_batches_and_broadcasts_throw) {
  std::atomic<int> caught = 0;
  pool p({.threads = 2, .on_exception = [&](const std::exception_ptr&) { ++caught; }});
  p.submit_batch(std::vector<std::function<void()>>(3, [] { throw 1; }));
  p.broadcast([] { throw 2; });
  p.wait_idle();
  EXPECT_EQ(caught, 5);
}

TEST(on_exception, may_submit_to_the_pool) {
  std::atomic<int> ran = 0;
  pool* the_pool = nullptr;
  pool p({.threads = 1,
          .on_exception = [&](const std::exception_ptr&) { the_pool->detach([&] { ++ran; }); }});
  the_pool = &p;
  p.detach([] { throw 1; });
  p.wait_idle();
  EXPECT_EQ(ran, 1);
}

TEST(on_exception_death_test, without_one_a_message_and_terminate) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .name = "render"});
        p.detach([] { throw std::runtime_error("broken glass"); });
        p.wait_idle();
      },
      "render.*broken glass");
}

// Its threads are ending, and with them the objects that a guest would use.
TEST(pool, takes_no_guests_once_it_has_stopped) {
  std::shared_ptr<filch::detail::registry> inside;
  {
    pool p(2);
    inside = p.core();
    const filch::detail::guest_slot slot(inside);
    ASSERT_TRUE(inside->enter(*slot));
    inside->leave(*slot);
  }
  const filch::detail::guest_slot slot(inside);
  EXPECT_FALSE(inside->enter(*slot));
}
