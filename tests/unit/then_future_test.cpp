// then() of functions that return futures.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
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

namespace {

constexpr std::size_t small_stack = std::size_t{64} * 1024;

/// Counts down to 0, each step in a task that the step before waits for by its future.
future<int> count_down(pool& p, int from) {
  return p.submit([from] { return from; }).then([&p](int n) -> future<int> {
    if (n == 0) return p.submit([] { return 0; });
    return count_down(p, n - 1);
  });
}

}  // namespace

TEST(then_future, of_a_function_that_returns_a_future_has_the_value_of_that_future) {
  pool p(2);
  future<int> value =
      p.submit([] { return 1; }).then([&](int x) { return p.submit([x] { return x + 1; }); });
  EXPECT_EQ(value.get(), 2);
  future<void> none = p.submit([] {}).then([&] { return p.submit([] {}); });
  none.get();
  int x = 0;
  future<int&> reference =
      p.submit([] {}).then([&] { return p.submit([&]() -> int& { return x; }); });
  EXPECT_EQ(&reference.get(), &x);
  future<std::unique_ptr<int>> moved =
      p.submit([] {}).then([&] { return p.submit([] { return std::make_unique<int>(3); }); });
  EXPECT_EQ(*moved.get(), 3);
}

TEST(then_future, is_not_ready_before_the_inner_future_is) {
  gate inner;
  pool p(2);
  std::atomic<bool> called = false;
  future<int> f = p.submit([] {}).then([&] {
    called = true;
    return p.submit([&] { return inner.pass(), 1; });
  });
  filch::test::until([&] { return called.load(); });
  EXPECT_FALSE(f.ready());
  inner.open();
  EXPECT_EQ(f.get(), 1);
}

TEST(then_future, of_an_inner_future_that_is_ready_is_ready_after_the_call) {
  pool p(1);
  future<int> inner = p.submit([] { return 1; });
  inner.wait();
  future<int> f = p.submit([] {}).then([&] { return std::move(inner); });
  EXPECT_EQ(f.get(), 1);
}

TEST(then_future, unwraps_one_level) {
  pool p(1);
  future<future<int>> f =
      p.submit([] {}).then([&] { return p.submit([&] { return p.submit([] { return 1; }); }); });
  EXPECT_EQ(f.get().get(), 1);
}

TEST(then_future, submit_does_not_unwrap) {
  pool p(1);
  auto f = p.submit([&] { return p.submit([] { return 1; }); });
  static_assert(std::is_same_v<decltype(f), future<future<int>>>);
  EXPECT_EQ(f.get().get(), 1);
}

TEST(then_future, passes_every_error_on) {
  pool p(2);
  std::atomic<int> called = 0;
  const auto inner = [&](int) { return ++called, p.submit([] { return 1; }); };
  EXPECT_THROW(p.submit([]() -> int { throw std::runtime_error("before"); }).then(inner).get(),
               std::runtime_error);
  EXPECT_EQ(called, 0);
  EXPECT_THROW(p.submit([] { return 1; })
                   .then([](int) -> future<int> { throw std::runtime_error("in the function"); })
                   .get(),
               std::runtime_error);
  expect_left_and_right(p.submit([] {}).then([&] { return p.submit(throw_left_and_right); }));
}

TEST(then_future, passes_a_cancellation_of_the_inner_task_on) {
  pool p(1);
  std::stop_source stop;
  stop.request_stop();
  future<int> f =
      p.submit([] {}).then([&] { return p.submit([] { return 1; }, {.stop = stop.get_token()}); });
  EXPECT_THROW(f.get(), filch::cancelled);
}

TEST(then_future, of_a_future_without_a_task_is_an_error_that_says_so) {
  pool p(1);
  future<int> f = p.submit([] {}).then([] { return future<int>(); });
  try {
    f.get();
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("filch: then(): the function returned"), 0u) << e.what();
  }
}

TEST(then_future, destroys_its_function_before_the_inner_task_ends) {
  gate inner;
  pool p(2);
  const auto captured = std::make_shared<int>(0);
  future<int> f =
      p.submit([] {}).then([&, captured] { return p.submit([&] { return inner.pass(), 1; }); });
  filch::test::until([&] { return captured.use_count() == 1; });
  EXPECT_FALSE(f.ready());
  inner.open();
  EXPECT_EQ(f.get(), 1);
}

TEST(then_future, goes_on_in_the_pool_of_the_inner_task) {
  pool p(1), q(1);
  gate followed;
  const pool* where = nullptr;
  std::optional<occupied> busy(std::in_place, p);
  future<void> f =
      p.submit([] {}).then([&] { return q.submit([&] { followed.pass(); }); }).then([&] {
        where = filch::this_worker::pool();
      });
  busy.reset();
  p.wait_idle();  // the inner future is followed
  followed.open();
  f.get();
  EXPECT_EQ(where, &q);
}

TEST(then_future, a_long_chain_runs_on_a_small_stack) {
  constexpr int steps = filch::test::size_for_build(300'000, 30'000);
  pool p({.threads = 1, .stack_size = small_stack});
  filch::test::watch(p);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 0; });
  const auto next = [&p](int x) {
    if (x % 8 == 0) return p.submit([x] { return x + 1; });
    filch::promise<int> ready;
    ready.set_value(x + 1);
    return ready.get_future();
  };
  for (int i = 0; i < steps; ++i) f = f.then(next);
  busy.reset();
  EXPECT_EQ(f.get(), steps);
}

// Every step waits for the next one, so at the end all results come at once, one after the other.
TEST(then_future, a_recursion_of_many_levels_ends_on_a_small_stack) {
  pool p({.threads = 1, .stack_size = small_stack});
  filch::test::watch(p);
  EXPECT_EQ(count_down(p, filch::test::size_for_build(50'000, 10'000)).get(), 0);
}

TEST(then_future, against_completion_nothing_is_lost_or_run_twice) {
  constexpr int rounds = 5'000;
  std::atomic<int> ran = 0;
  pool p(2);
  filch::test::watch(p);
  for (int i = 0; i < rounds; ++i) {
    future<int> f =
        p.submit([] {}).then([&, i] { return p.submit([&ran, i] { return ++ran, i; }); });
    ASSERT_EQ(f.get(), i);
  }
  EXPECT_EQ(ran, rounds);
}
