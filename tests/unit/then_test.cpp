#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/shared_future.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/sanitizers.hpp"
#include "support/suppressing.hpp"

using filch::future;
using filch::pool;
using filch::usage_error;
using filch::test::expect_left_and_right;
using filch::test::gate;
using filch::test::occupied;
using filch::test::throw_left_and_right;
using filch::test::until;

namespace {

// Each link on the stack would take more bytes than the small stack has for it.
constexpr int long_chain = filch::test::size_for_build(1'000'000, 50'000);
constexpr std::size_t small_stack = std::size_t{64} * 1024;

/// A task that has ended, and its future.
template <class F>
auto ended(pool& p, F f) {
  auto done = p.submit(std::move(f));
  done.wait();
  return done;
}

}  // namespace

TEST(then, gets_the_value) {
  pool p(2);
  EXPECT_EQ(p.submit([] { return 20; }).then([](int x) { return x + 1; }).get(), 21);
  EXPECT_EQ(ended(p, [] { return 20; }).then([](int x) { return x + 2; }).get(), 22);
}

TEST(then, gets_nothing_of_a_task_that_returns_nothing) {
  pool p(2);
  int steps = 0;
  p.submit([&] { ++steps; }).then([&] { ++steps; }).then([&] { ++steps; }).get();
  EXPECT_EQ(steps, 3);
}

TEST(then, moves_a_value_that_can_only_be_moved) {
  pool p(2);
  future<std::unique_ptr<int>> f =
      p.submit([] { return std::make_unique<int>(3); }).then([](std::unique_ptr<int> x) {
        ++*x;
        return x;
      });
  EXPECT_EQ(*f.get(), 4);
}

TEST(then, passes_references_on) {
  pool p(2);
  int x = 1;
  future<int&> f = p.submit([&]() -> int& { return x; }).then([](int& y) -> int& {
    ++y;
    return y;
  });
  EXPECT_EQ(&f.get(), &x);
  EXPECT_EQ(x, 2);
}

TEST(then, calls_whatever_can_be_called_with_the_result) {
  pool p(2);
  EXPECT_EQ(p.submit([] { return std::string("four"); }).then(&std::string::size).get(), 4u);
  const std::function<int(int)> twice = [](int x) { return 2 * x; };
  EXPECT_EQ(p.submit([] { return 5; }).then(twice).get(), 10);
  EXPECT_EQ(p.submit([] { return 5; })
                .then([owned = std::make_unique<int>(6)](int x) { return *owned + x; })
                .get(),
            11);
}

TEST(then, takes_the_place_of_the_future) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  future<int> g = f.then([](int x) { return x; });
  EXPECT_FALSE(f.valid());
  EXPECT_THROW(f.get(), usage_error);
  EXPECT_THROW(f.wait(), usage_error);
  EXPECT_THROW((void)f.ready(), usage_error);
  EXPECT_THROW((void)f.then([](int) {}), usage_error);
  EXPECT_EQ(g.get(), 1);
}

TEST(then, after_a_wait_that_timed_out_is_notified_all_the_same) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 1; });
  EXPECT_FALSE(f.wait_for(std::chrono::milliseconds(1)));
  future<int> g = f.then([](int x) { return x + 1; });
  busy.reset();
  EXPECT_EQ(g.get(), 2);
}

TEST(then, refuses_an_empty_function_and_leaves_the_future_as_it_was) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  try {
    (void)f.then(std::function<void(int)>());
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("filch::future::then()"), 0u) << e.what();
  }
  EXPECT_TRUE(f.valid());
  EXPECT_EQ(f.get(), 1);
}

TEST(then, is_skipped_on_an_error_which_travels_on) {
  std::atomic<int> called = 0;
  pool p(2);
  future<void> f = p.submit([]() -> int { throw std::runtime_error("first"); })
                       .then([&](int x) { return ++called, x; })
                       .then([&](int) { ++called; });
  try {
    f.get();
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "first");
  }
  EXPECT_EQ(called, 0);
}

TEST(then, delivers_what_its_function_throws) {
  std::atomic<int> called = 0;
  pool p(2);
  future<void> f = p.submit([] { return 1; })
                       .then([](int) -> int { throw std::runtime_error("second"); })
                       .then([&](int) { ++called; });
  EXPECT_THROW(f.get(), std::runtime_error);
  EXPECT_EQ(called, 0);
}

TEST(then, passes_on_what_the_exception_has_suppressed) {
  pool p(2);
  expect_left_and_right(p.submit(throw_left_and_right).then([] {}).then([] {}));
}

TEST(then, works_for_the_tasks_of_a_scope) {
  pool p(2);
  const int sum = p.install([] {
    filch::scope s;
    future<int> f = s.async([] { return 1; }).then([](int x) { return x + 1; });
    s.wait();
    return f.get();
  });
  EXPECT_EQ(sum, 2);
}

TEST(then, runs_in_the_pool_in_which_the_task_ended) {
  pool p(2);
  std::optional<occupied> busy(std::in_place, p);
  const pool* where = nullptr;
  future<void> f = p.submit([] {}).then([&] { where = filch::this_worker::pool(); });
  busy.reset();
  f.get();
  EXPECT_EQ(where, &p);
}

TEST(then, of_a_task_that_has_ended_runs_in_the_pool_of_that_task) {
  pool p(1), q(1);
  const pool* where = nullptr;
  const auto look = [&] { where = filch::this_worker::pool(); };
  ended(p, [] {}).then(look).get();
  EXPECT_EQ(where, &p) << "then() on a thread outside";
  future<void> f = ended(p, [] {});
  q.submit([&] { return f.then(look); }).get().get();
  EXPECT_EQ(where, &p) << "then() on a worker of another pool";
  filch::shared_future<void> shared = ended(p, [] {}).share();
  shared.then(look).get();
  EXPECT_EQ(where, &p) << "of a shared future";
  future<void> g = ended(p, [] {}).then([] {});
  g.wait();
  std::move(g).then(look).get();
  EXPECT_EQ(where, &p) << "after another continuation";
}

TEST(then, of_a_task_whose_pool_is_gone_runs_in_the_current_pool_or_else_in_the_default_pool) {
  std::optional<pool> p(std::in_place, 1);
  pool q(1);
  future<void> f = ended(*p, [] {}), g = ended(*p, [] {});
  p.reset();
  const pool* where = nullptr;
  const auto look = [&] { where = filch::this_worker::pool(); };
  q.submit([&] { return f.then(look); }).get().get();
  EXPECT_EQ(where, &q);
  g.then(look).get();
  EXPECT_EQ(where, &filch::default_pool());
}

TEST(then, of_a_task_that_has_ended_runs_on_the_caller_if_the_pool_takes_no_more) {
  pool p(1);
  future<void> f = ended(p, [] {});
  p.close();
  std::thread::id where;
  future<void> g = f.then([&] { where = std::this_thread::get_id(); });
  EXPECT_TRUE(g.ready());
  EXPECT_EQ(where, std::this_thread::get_id());
}

TEST(then, in_an_on_stop_hook_runs_on_that_worker) {
  std::optional<future<void>> f;
  bool ran = false;
  {
    pool p({.threads = 1, .on_stop = [&](std::size_t) {
              const future<void> g = f->then([&] { ran = true; });
              EXPECT_TRUE(g.ready());
            }});
    f = ended(p, [] {});
  }
  EXPECT_TRUE(ran);
}

TEST(then, never_runs_inside_the_task_before_it) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  int depth = 0, deepest = 0;
  const auto step = [&] {
    deepest = std::max(deepest, ++depth);
    const std::shared_ptr<void> leave(nullptr, [&](void*) { --depth; });
  };
  future<void> f = p.submit(step).then(step).then(step);
  busy.reset();
  f.get();
  EXPECT_EQ(deepest, 1);
}

TEST(then, may_be_called_by_a_continuation) {
  pool p(1);
  future<int> inner = p.submit([&] { return p.submit([] { return 1; }); }).then([](future<int> f) {
    return f.then([](int x) { return x + 1; });
  });
  EXPECT_EQ(inner.get(), 2);
}

TEST(then, wait_idle_and_the_end_of_the_pool_wait_for_continuations) {
  std::atomic<int> steps = 0;
  {
    pool p(2);
    const auto add = [&] { ++steps; };
    for (int i = 0; i < 100; ++i) {
      occupied busy(p);
      (void)p.submit(add).then(add).then(add).then(add);  // its future is dropped
      busy.leave();
      if (i % 2 == 0) {
        p.wait_idle();
        EXPECT_EQ(steps, 4 * (i + 1));
      }
    }
  }
  EXPECT_EQ(steps, 400);
}

TEST(then, also_runs_when_the_pool_is_closed) {
  std::atomic<int> steps = 0;
  {
    pool p(1);
    occupied busy(p);
    (void)p.submit([&] { ++steps; }).then([&] { ++steps; });
    p.close();
    busy.leave();
  }
  EXPECT_EQ(steps, 2);
}

TEST(then, of_a_dropped_future_neither_waits_nor_leaks) {
  const auto token = std::make_shared<int>(0);
  {
    pool p(1);
    {
      const occupied busy(p);
      (void)p.submit([token] { return token; }).then([token](std::shared_ptr<int> t) { return t; });
      EXPECT_GT(token.use_count(), 1);
    }
    p.wait_idle();
    EXPECT_EQ(token.use_count(), 1);
  }
}

TEST(then, destroys_function_and_value_when_it_has_run) {
  pool p(1);
  const auto value = std::make_shared<int>(0), captured = std::make_shared<int>(0);
  future<int> f =
      p.submit([value] { return value; }).then([captured](const auto& v) { return *v; });
  f.wait();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_EQ(f.get(), 0);
}

TEST(then, destroys_function_and_value_when_it_is_skipped) {
  pool p(1);
  const auto captured = std::make_shared<int>(0);
  future<int> f = p.submit([]() -> int { throw 1; }).then([captured](int x) { return x; });
  f.wait();
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_THROW(f.get(), int);
}

TEST(then, a_chain_of_a_million_runs_on_a_small_stack) {
  pool p({.threads = 1, .stack_size = small_stack});
  filch::test::watch(p);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 0; });
  for (int i = 0; i < long_chain; ++i) f = f.then([](int x) { return x + 1; });
  busy.reset();
  EXPECT_EQ(f.get(), long_chain);
}

TEST(then, a_chain_of_a_million_passes_an_error_on_and_may_be_dropped) {
  const auto token = std::make_shared<int>(0);
  std::atomic<int> called = 0;
  pool p({.threads = 1, .stack_size = small_stack});
  filch::test::watch(p);
  {
    const occupied busy(p);
    future<int> f = p.submit([]() -> int { throw 1; });
    for (int i = 0; i < long_chain; ++i)
      f = f.then([&called, token](int x) { return ++called, x; });
  }
  p.wait_idle();
  EXPECT_EQ(called, 0);
  EXPECT_EQ(token.use_count(), 1);
}

TEST(then, a_chain_grows_while_it_runs) {
  pool p(2);
  future<int> f = p.submit([] { return 0; });
  for (int i = 0; i < 10'000; ++i) f = f.then([](int x) { return x + 1; });
  EXPECT_EQ(f.get(), 10'000);
}

// Each continuation runs exactly once, whether it was added before the result, after it, or at the
// same time.
TEST(then, against_completion_nothing_is_lost_or_run_twice) {
  constexpr int rounds = 5'000;
  std::atomic<int> ran = 0;
  pool p(2);
  filch::test::watch(p);
  for (int i = 0; i < rounds; ++i) {
    std::atomic<bool> go = false;
    future<int> f = p.submit([&go, i] {
      while (!go) std::this_thread::yield();
      return i;
    });
    go = true;
    future<int> g = f.then([&ran](int x) { return ++ran, x + 1; });
    ASSERT_EQ(g.get(), i + 1);
  }
  EXPECT_EQ(ran, rounds);
}

TEST(then, continuations_of_several_pools_meet) {
  pool p(2), q(2);
  std::vector<future<int>> results;
  for (int i = 0; i < 500; ++i)
    results.push_back(p.submit([&q, i] { return q.submit([i] { return i; }); }).then([](auto f) {
      return f.get();
    }));
  for (int i = 0; i < 500; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)].get(), i);
}
