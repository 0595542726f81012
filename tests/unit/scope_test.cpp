#include "filch/scope.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/suppressed.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/team.hpp"

using filch::future;
using filch::pool;
using filch::scope;
using filch::scoped;
using filch::usage_error;
using filch::test::gate;
using filch::test::until;

namespace {

/// Exceptions of type int that arrived at on_exception.
class collector {
 public:
  std::function<void(std::exception_ptr)> hook() {
    return [this](const std::exception_ptr& e) {
      const std::scoped_lock lock(mutex_);
      try {
        std::rethrow_exception(e);
      } catch (int n) {
        numbers_.push_back(n);
      }
    };
  }
  std::vector<int> numbers() {
    const std::scoped_lock lock(mutex_);
    return numbers_;
  }

 private:
  std::mutex mutex_;
  std::vector<int> numbers_;
};

using list = std::vector<int>;

void spawn_tree(scope& s, std::atomic<int>& nodes, int depth) {
  ++nodes;
  if (depth == 0) return;
  for (int i = 0; i < 2; ++i) s.spawn([&s, &nodes, depth] { spawn_tree(s, nodes, depth - 1); });
}

}  // namespace

TEST(scope, without_tasks_does_not_wait) {
  pool p(1);
  scope s({.on = &p});
  s.wait();
  s.wait();
}

TEST(scope, waits_for_its_tasks) {
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    pool p(threads);
    p.install([] {
      int plain[100] = {};
      scope s;
      for (int& each : plain) s.spawn([&each] { each = 1; });
      s.wait();
      for (const int each : plain) ASSERT_EQ(each, 1);
    });
  }
}

TEST(scope, its_destructor_waits) {
  pool p(2);
  for (int round = 0; round < 200; ++round) {
    int on_the_stack = 0;
    {
      scope s({.on = &p});
      s.spawn([&] { on_the_stack = 1; });
    }
    ASSERT_EQ(on_the_stack, 1);
  }
}

// The task would wait for itself, for ever. It does not matter which thread runs it: the worker
// that made the scope, in the wait for the scope or in another wait, a thief, or a guest.
TEST(scope, a_wait_inside_one_of_its_own_tasks_throws) {
  const auto try_in_tasks = [](scope& s, auto wait) {
    std::atomic<int> refused = 0;
    const auto task = [&] {
      try {
        s.wait();
      } catch (const usage_error&) {
        ++refused;
      }
    };
    const std::array<std::byte, 300> large{};
    for (int i = 0; i < 3; ++i) s.spawn(task);
    s.spawn([&, large] {
      (void)large;
      s.spawn([&] { task(); });
      task();
    });
    auto result = s.async(task);
    wait();
    s.wait();
    EXPECT_EQ(refused, 6);
  };
  for (const std::size_t threads : {1u, 3u}) {
    pool p(threads);
    filch::test::watch(p);
    for (const bool isolate : {false, true}) {
      scope from_outside({.on = &p, .isolate = isolate});
      try_in_tasks(from_outside, [] {});
      p.install([&] {
        scope here({.isolate = isolate});
        try_in_tasks(here, [] {});
        scope other;  // its wait runs tasks of the first
        try_in_tasks(here, [&] {
          other.spawn([] {});
          other.wait();
        });
        pool elsewhere(1);
        try_in_tasks(here, [&] { elsewhere.submit([] {}).get(); });
      });
    }
  }
}

// The task waits for the function, and the function would wait for the task.
TEST(scope, a_wait_by_way_of_another_pool_inside_one_of_its_own_tasks_throws) {
  pool p(2);
  pool elsewhere(1);
  pool third(1);
  filch::test::watch(p);
  const auto in_a_task = [&](scope& s) {
    s.spawn([&] {
      elsewhere.install([&] {
        EXPECT_THROW(s.wait(), usage_error);
        third.install([&] { EXPECT_THROW(s.wait(), usage_error); });
        scope other;  // has nothing to do with it
        other.spawn([] {});
        other.wait();
      });
    });
    s.wait();
  };
  for (const bool isolate : {false, true}) {
    scope from_outside({.on = &p, .isolate = isolate});
    in_a_task(from_outside);
    p.install([&] {
      scope here({.isolate = isolate});
      in_a_task(here);
    });
    elsewhere.install([&] {
      scope of_another_pool({.on = &p, .isolate = isolate});
      in_a_task(of_another_pool);
    });
  }
}

TEST(scope, a_wait_on_another_worker_than_the_one_that_made_it_says_so) {
  pool p(2);
  pool elsewhere(1);
  p.install([&] {
    scope s;
    elsewhere.install([&] {
      try {
        s.wait();
        ADD_FAILURE() << "it did not throw";
      } catch (const usage_error& e) {
        EXPECT_NE(std::string(e.what()).find("another thread than the worker of pool"),
                  std::string::npos)
            << e.what();
      }
    });
  });
}

// The first scope is opened further out: its wait is not for the task that calls it.
TEST(scope, a_wait_inside_a_task_of_another_scope_is_no_misuse) {
  for (const std::size_t threads : {1u, 3u}) {
    pool p(threads);
    filch::test::watch(p);
    std::atomic<int> ran = 0;
    scope outer({.on = &p});
    outer.spawn([&] {
      scope inner;
      inner.spawn([&] { ++ran; });
      filch::join([&] { inner.wait(); }, [] {});
      inner.spawn([&] {
        scope innermost;
        innermost.spawn([&] { ++ran; });
        innermost.wait();
      });
      inner.wait();
    });
    outer.wait();
    EXPECT_EQ(ran, 2);
  }
}

TEST(scope_death_test, destroyed_by_one_of_its_own_tasks_says_so) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        pool p(1);
        p.install([] {
          auto* const s = new scope;
          s->spawn([s] { delete s; });
          s->wait();
        });
      },
      "destroyed by one of its own tasks");
}

TEST(scope, can_be_used_again_after_a_wait) {
  pool p(2);
  p.install([] {
    std::atomic<int> ran = 0;
    scope s;
    for (int round = 1; round <= 50; ++round) {
      s.spawn([&] { ++ran; });
      s.spawn([&] { ++ran; });
      s.wait();
      ASSERT_EQ(ran, 2 * round);
    }
  });
}

// Pitfall 30: any number of tasks, with captures, spawned by tasks.
TEST(scope, its_tasks_may_spawn_more) {
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    std::atomic<int> nodes = 0;
    pool p(threads);
    p.install([&] { scoped([&](scope& s) { spawn_tree(s, nodes, 12); }); });
    ASSERT_EQ(nodes, (1 << 13) - 1);
    nodes = 0;
    scoped([&](scope& s) { spawn_tree(s, nodes, 10); }, {.on = &p});
    ASSERT_EQ(nodes, (1 << 11) - 1);
  }
}

TEST(scope, nests) {
  std::atomic<int> ran = 0;
  pool p(2);
  p.install([&] {
    scoped([&](scope& outer) {
      for (int i = 0; i < 10; ++i)
        outer.spawn([&] {
          scope inner;
          for (int k = 0; k < 10; ++k) inner.spawn([&] { ++ran; });
          inner.wait();
          ++ran;
        });
    });
  });
  EXPECT_EQ(ran, 110);
}

TEST(scope, a_thread_outside_of_every_pool_takes_part) {
  std::atomic<int> by_guest = 0, by_workers = 0;
  pool p(2);
  while (by_guest == 0 || by_workers == 0) {
    scope s({.on = &p});
    for (int i = 0; i < 64; ++i)
      s.spawn([&] { ++(filch::this_worker::pool() == nullptr ? by_guest : by_workers); });
    s.wait();
  }
}

TEST(scope, a_thread_outside_runs_its_own_tasks_if_no_other_thread_can) {
  gate busy, leave;
  pool p(1);
  p.detach([&] {
    busy.open();
    leave.pass();  // the only worker waits for what the scope's task does
  });
  busy.pass();
  scope s({.on = &p});
  s.spawn([&] { leave.open(); });
  s.wait();
}

// The maker chooses the call of the scope with its first task.
TEST(scope, other_threads_may_spawn_while_its_maker_spawns_its_first_task) {
  std::atomic<int> ran = 0;
  pool p(2);
  for (int round = 0; round < 100; ++round) {
    scope s({.on = &p});
    filch::test::team others(1, [&](std::size_t) { s.spawn([&] { ++ran; }); });
    others.start();
    s.spawn([&] { ++ran; });
    others.join();
  }
  EXPECT_EQ(ran, 200);
}

TEST(scope, takes_what_can_only_be_moved) {
  std::atomic<int> got = 0;
  pool p(1);
  scope s({.on = &p});
  s.spawn([&got, n = std::make_unique<int>(6)] { got = *n; });
  s.wait();
  EXPECT_EQ(got, 6);
}

TEST(scope, without_a_pool_uses_the_current_one) {
  pool p(2);
  p.install([&] {
    filch::pool* ran_on = nullptr;
    scoped([&](scope& s) { s.spawn([&] { ran_on = filch::this_worker::pool(); }); });
    EXPECT_EQ(ran_on, &p);
  });
}

TEST(scope, on_one_pool_used_by_a_worker_of_another) {
  pool a(1), b(1);
  a.install([&] {
    filch::pool* ran_on = nullptr;
    scoped([&](scope& s) { s.spawn([&] { ran_on = filch::this_worker::pool(); }); }, {.on = &b});
    EXPECT_EQ(ran_on, &b);
  });
}

TEST(scope, can_be_made_from_options_in_every_way) {
  pool p(1);
  const scope a = {{.on = &p}};
  const scope b{{.on = &p}};
  const scope c({.on = &p});
  EXPECT_FALSE(std::is_copy_constructible_v<scope> || std::is_move_constructible_v<scope>);
}

TEST(scope, refuses_an_empty_function) {
  pool p(1);
  scope s({.on = &p});
  EXPECT_THROW(s.spawn(std::function<void()>()), usage_error);
  EXPECT_THROW((void)s.async(std::function<int()>()), usage_error);
  s.wait();
}

TEST(scope, closures_are_gone_when_the_wait_is_over) {
  pool p(2);
  auto held = std::make_shared<int>(0);
  scope s({.on = &p});
  for (int i = 0; i < 50; ++i) s.spawn([held] {});
  s.wait();
  EXPECT_EQ(held.use_count(), 1);
}

// ---- exceptions ---------------------------------------------------------------------------------

TEST(scope, wait_throws_what_a_task_threw_after_all_have_run) {
  pool p(2);
  p.install([] {
    std::atomic<int> ran = 0;
    scope s;
    for (int i = 0; i < 20; ++i)
      s.spawn([&, i] {
        ++ran;
        if (i == 7) throw std::out_of_range("seven");
      });
    EXPECT_THROW(s.wait(), std::out_of_range);
    EXPECT_EQ(ran, 20);
    s.wait();  // delivered: not thrown again
  });
}

TEST(scope, the_first_recorded_is_thrown_and_the_others_are_suppressed) {
  pool p(1);
  p.install([] {
    scope s;
    for (int i = 0; i < 4; ++i) s.spawn([i] { throw i; });
    list all;
    try {
      s.wait();
      FAIL();
    } catch (int n) {
      all.push_back(n);
      for (const std::exception_ptr& e : filch::suppressed()) {
        try {
          std::rethrow_exception(e);
        } catch (int other) {
          all.push_back(other);
        }
      }
    }
    EXPECT_EQ(all, (list{3, 2, 1, 0})) << "one worker runs the newest first";
  });
}

TEST(scope, is_usable_after_it_threw) {
  pool p(2);
  scope s({.on = &p});
  s.spawn([] { throw 1; });
  EXPECT_THROW(s.wait(), int);
  int ran = 0;
  s.spawn([&] { ran = 1; });
  s.wait();
  EXPECT_EQ(ran, 1);
  s.spawn([] { throw 2; });
  EXPECT_THROW(s.wait(), int);
}

TEST(scope, an_exception_no_wait_delivered_goes_to_on_exception) {
  collector undelivered;
  pool p({.threads = 1, .on_exception = undelivered.hook()});
  {
    scope s({.on = &p});
    s.spawn([] { throw 5; });
  }
  EXPECT_EQ(undelivered.numbers(), (list{5}));
}

TEST(scope_death_test, without_on_exception_an_undelivered_exception_terminates) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .name = "render"});
        scope s({.on = &p});
        s.spawn([] { throw std::runtime_error("broken glass"); });
      },
      "render.*broken glass");
}

TEST(scope, during_unwinding_waits_and_skips_what_has_not_started) {
  collector undelivered;
  pool p({.threads = 1, .on_exception = undelivered.hook()});
  bool skipped = true, running_ended = false;
  gate begun;
  try {
    scope s({.on = &p});
    s.spawn([&] {
      begun.open();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      running_ended = true;
    });
    begun.pass();
    s.spawn([&] { skipped = false; });
    throw std::out_of_range("leave");
  } catch (const std::out_of_range&) {
    EXPECT_TRUE(running_ended);
    EXPECT_TRUE(skipped);
  }
  EXPECT_TRUE(undelivered.numbers().empty());
}

// A scope that a destructor makes during unwinding is not being unwound itself.
TEST(scope, made_during_unwinding_runs_its_tasks) {
  pool p(1);
  int ran = 0;
  struct user {
    pool& p;
    int& ran;
    ~user() {
      scope s({.on = &p});
      s.spawn([this] { ran = 1; });
    }
  };
  try {
    const user u{p, ran};
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(ran, 1);
}

// ---- async --------------------------------------------------------------------------------------

TEST(scope, async_gives_a_future) {
  pool p(2);
  p.install([] {
    scope s;
    future<int> f = s.async([] { return 42; });
    future<void> g = s.async([] {});
    EXPECT_EQ(f.get(), 42);
    g.get();
  });
}

TEST(scope, an_exception_of_async_goes_to_its_future_alone) {
  pool p(1);
  scope s({.on = &p});
  future<int> f = s.async([]() -> int { throw 3; });
  s.wait();
  EXPECT_THROW(f.get(), int);
}

TEST(scope, async_is_waited_for_though_its_future_is_dropped) {
  pool p(2);
  for (int round = 0; round < 100; ++round) {
    int on_the_stack = 0;
    {
      scope s({.on = &p});
      (void)s.async([&] { return on_the_stack = 1; });
    }
    ASSERT_EQ(on_the_stack, 1);
  }
}

TEST(scope, a_future_of_async_outlives_the_scope) {
  pool p(1);
  future<std::string> f;
  {
    scope s({.on = &p});
    f = s.async([] { return std::string("kept"); });
  }
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), "kept");
}

// A skipped task leaves no future without a result.
TEST(scope, during_unwinding_the_future_of_a_skipped_task_says_so) {
  pool p(1);
  future<int> f;
  bool ran = false;
  try {
    scope s({.on = &p});
    // The only worker stays here until the unwinding thread has decided to skip.
    s.spawn([token = s.stop_token()] { until([&] { return token.stop_requested(); }); });
    f = s.async([&] {
      ran = true;
      return 1;
    });
    throw 7;
  } catch (int) {
  }
  EXPECT_THROW(f.get(), filch::cancelled);
  EXPECT_FALSE(ran);
}

// ---- scoped -------------------------------------------------------------------------------------

TEST(scoped, gives_what_the_function_returns) {
  pool p(2);
  int there = 0;
  EXPECT_EQ(scoped([](scope&) { return 4; }, {.on = &p}), 4);
  EXPECT_EQ(&scoped([&](scope&) -> int& { return there; }, {.on = &p}), &there);
  EXPECT_EQ(*scoped([](scope&) { return std::make_unique<int>(5); }, {.on = &p}), 5);
}

TEST(scoped, waits_before_it_returns) {
  pool p(2);
  int done = 0;
  scoped([&](scope& s) { s.spawn([&] { done = 1; }); }, {.on = &p});
  EXPECT_EQ(done, 1);
}

TEST(scoped, throws_what_a_task_threw) {
  pool p(2);
  EXPECT_THROW(scoped([](scope& s) { s.spawn([] { throw 1; }); }, {.on = &p}), int);
}

TEST(scoped, throws_what_the_function_threw_after_waiting) {
  pool p(1);
  bool ended = false;
  gate begun;
  EXPECT_THROW(scoped(
                   [&](scope& s) {
                     s.spawn([&] {
                       begun.open();
                       std::this_thread::sleep_for(std::chrono::milliseconds(2));
                       ended = true;
                     });
                     begun.pass();
                     throw std::out_of_range("f");
                   },
                   {.on = &p}),
               std::out_of_range);
  EXPECT_TRUE(ended);
}
