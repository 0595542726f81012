// Pools without workers: pool_options::threads is filch::none.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include "filch/filch.hpp"
#include "support/complaint.hpp"
#include "support/hang_guard.hpp"

using filch::pool;
using filch::test::complaint;

namespace {

/// A pool without workers. `here()` is true on the thread that made it, if that takes part.
struct alone {
  pool p{filch::pool_options{.threads = filch::none, .max_guests = 4}};
  std::thread::id maker = std::this_thread::get_id();
  bool here() const {
    const std::optional<std::size_t> slot = filch::this_worker::slot();
    return std::this_thread::get_id() == maker && filch::this_worker::takes_part() && slot &&
           *slot < p.max_slots();
  }
};

}  // namespace

TEST(no_workers, a_submitted_task_has_run_on_its_caller_when_submit_returns) {
  alone a;
  EXPECT_EQ(a.p.size(), 0u);
  auto f = a.p.submit([&] { return a.here(); });
  EXPECT_TRUE(f.ready());
  EXPECT_TRUE(f.get());
  EXPECT_FALSE(filch::this_worker::takes_part());
  int ran = 0;
  a.p.detach([&] { ran += a.here() ? 1 : 0; });
  a.p.submit_batch(std::vector<std::function<void()>>(3, [&] { ran += a.here() ? 1 : 0; }));
  EXPECT_EQ(ran, 4);
  a.p.wait_idle();
}

TEST(no_workers, install_makes_the_caller_a_guest_whose_loops_run_on_it) {
  alone a;
  std::vector<int> seen(10'000);
  bool always_here = true;
  const bool installed = a.p.install([&] {
    filch::parallel_for(std::size_t{0}, seen.size(), [&](std::size_t i) {
      ++seen[i];
      always_here = always_here && a.here();
    });
    const auto [x, y] = filch::join([] { return 1; }, [] { return 2; });
    return a.here() && x + y == 3;
  });
  EXPECT_TRUE(installed);
  EXPECT_TRUE(always_here);
  EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), 10'000);
}

TEST(no_workers, loops_on_it_run_on_their_caller_whatever_their_options) {
  alone a;
  int elsewhere = 0;
  const auto body = [&](int) { elsewhere += a.here() ? 0 : 1; };
  filch::parallel_for(0, 1000, body, {.on = &a.p});
  filch::parallel_for(0, 1000, body, {.priority = filch::priority::high, .on = &a.p});
  filch::parallel_for(0, 1000, body, {.on = &a.p, .isolate = true});
  filch::parallel_for(0, 1000, body, {.on = &a.p, .max_workers = 2});
  EXPECT_EQ(elsewhere, 0);
}

TEST(no_workers, the_tasks_of_a_scope_run_on_the_thread_that_spawns_them) {
  alone a;
  int here = 0;
  std::atomic<int> all = 0;
  filch::scope s({.on = &a.p});
  for (int i = 0; i < 100; ++i)
    s.spawn([&] {
      here += a.here() ? 1 : 0;
      s.spawn([&] { ++all; });
      ++all;
    });
  s.wait();
  EXPECT_EQ(here, 100);
  EXPECT_EQ(all, 200);
}

TEST(no_workers, a_task_of_an_older_scope_that_a_guest_spawns_is_not_forgotten) {
  alone a;
  int ran = 0;
  filch::scope s({.on = &a.p});
  a.p.install([&] { s.spawn([&] { ++ran; }); });
  std::thread([&] { s.spawn([&] { ++ran; }); }).join();
  s.wait();
  EXPECT_EQ(ran, 2);
}

TEST(no_workers, a_future_of_a_scope_can_be_waited_for_before_the_scope) {
  alone a;
  filch::scope s({.on = &a.p});
  auto f = s.async([&] { return a.here(); });
  EXPECT_TRUE(f.get());
  s.spawn([&] { EXPECT_TRUE(s.async([&] { return a.here(); }).get()); });
  s.wait();
  filch::scope limited({.on = &a.p, .max_workers = 1});
  EXPECT_TRUE(limited.async([&] { return a.here(); }).get());
  filch::scope isolated({.on = &a.p, .isolate = true});
  EXPECT_TRUE(isolated.async([&] { return a.here(); }).get());
}

TEST(no_workers, a_scope_may_be_waited_for_inside_install) {
  alone a;
  int ran = 0;
  filch::scope s({.on = &a.p});
  s.spawn([&] { ran += a.here() ? 1 : 0; });
  a.p.install([&] { s.wait(); });
  EXPECT_EQ(ran, 1);
}

// Tasks that spawn tasks wait in the deque of the thread that runs them.
TEST(no_workers, a_long_chain_of_tasks_of_a_scope_needs_no_stack) {
  alone a;
  int left = 100'000;
  filch::scope s({.on = &a.p});
  std::function<void()> next = [&] {
    if (--left > 0) s.spawn([&] { next(); });
  };
  s.spawn([&] { next(); });
  s.wait();
  EXPECT_EQ(left, 0);
}

TEST(no_workers, continuations_run_on_the_thread_that_makes_their_future_ready) {
  alone a;
  filch::promise<int> source;
  int got = 0;
  {
    const filch::participation here(a.p);
    auto f = source.get_future().then([&](int x) { return got = a.here() ? x : -x; });
    source.set_value(7);
    EXPECT_EQ(f.get(), 7);
  }
  EXPECT_EQ(got, 7);
}

TEST(no_workers, a_long_chain_of_continuations_needs_no_stack) {
  alone a;
  constexpr int length = 100'000;
  filch::promise<int> source;
  const filch::participation here(a.p);
  filch::future<int> f = source.get_future();
  for (int i = 0; i < length; ++i) f = f.then([](int x) { return x + 1; });
  source.set_value(0);
  EXPECT_EQ(f.get(), length);
}

// Below a long chain, continuations wait for their turn. A function in the chain may wait for one
// of these.
TEST(no_workers, a_function_in_a_long_chain_may_wait_for_a_continuation_that_it_starts) {
  alone a;
  filch::promise<int> source;
  const filch::participation here(a.p);
  filch::future<int> f = source.get_future();
  for (int i = 0; i < 200; ++i)
    f = f.then([](int x) {
      filch::promise<int> inner;
      auto next = inner.get_future().then([](int y) { return y + 1; });
      inner.set_value(x);
      return next.get();
    });
  source.set_value(0);
  EXPECT_EQ(f.get(), 200);
}

// The task runs while the function waits, and what it starts would have its turn after the
// function.
TEST(no_workers, a_function_in_a_long_chain_may_wait_for_a_continuation_that_a_task_starts) {
  alone a;
  const filch::participation here(a.p);
  constexpr int length = 100;  // functions wait at every level of the stack
  filch::promise<int> source;
  filch::future<int> f = source.get_future();
  for (int i = 0; i < length; ++i)
    f = f.then([](int x) {
      filch::promise<int> inner;
      auto next = inner.get_future().then([](int y) { return y + 1; });
      filch::scope s;
      s.spawn([&] { inner.set_value(x); });
      const int got = next.get();
      s.wait();
      return got;
    });
  source.set_value(0);
  EXPECT_EQ(f.get(), length);
}

// What a wait lets run nests anew, but a chain that begins there needs no more stack than others.
TEST(no_workers, a_long_chain_that_begins_in_a_wait_in_a_long_chain_needs_no_stack) {
  alone a;
  const filch::participation here(a.p);
  filch::promise<int> source, second;
  filch::future<int> f = source.get_future(), g = second.get_future();
  for (int i = 0; i < 100; ++i) f = f.then([](int x) { return x + 1; });
  for (int i = 0; i < 100'000; ++i) g = g.then([](int x) { return x + 1; });
  f = f.then([&](int x) {
    filch::scope s;
    s.spawn([&] { second.set_value(x); });
    const int got = g.get();
    s.wait();
    return got;
  });
  source.set_value(0);
  EXPECT_EQ(f.get(), 100'100);
}

TEST(no_workers, a_closed_pool_refuses_tasks) {
  alone a;
  a.p.close();
  EXPECT_THROW(a.p.detach([] {}), filch::pool_closed);
}

TEST(no_workers, timers_and_larger_limits_are_refused_with_a_reason) {
  alone a;
  using std::chrono::milliseconds;
  EXPECT_NE(complaint([&] {
              (void)filch::submit_after(milliseconds(1), [] {}, {.on = &a.p});
            }).find("has no workers"),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              (void)filch::submit_every(milliseconds(1), [] {}, {.on = &a.p});
            }).find("has no workers"),
            std::string::npos);
  EXPECT_NE(complaint([&] { a.p.limit(1); }).find("0 means all"), std::string::npos);
  a.p.limit(0);
}

TEST(no_workers, broadcast_has_no_worker_to_run_on_and_reports_show_none) {
  alone a;
  int ran = 0;
  a.p.broadcast([&] { ++ran; });
  EXPECT_EQ(ran, 0);
  filch::per_worker<int> sums([] { return 0; }, {.on = &a.p});
  a.p.install([&] { ++sums.local(); });
  EXPECT_EQ(sums.combine(0, std::plus{}), 1);
  std::ostringstream text;
  a.p.dump(text);
  EXPECT_NE(text.str().find("0 workers"), std::string::npos);
}

// A worker of another pool runs the work in place, too. It stays a worker of its own pool.
TEST(no_workers, a_worker_of_another_pool_runs_what_it_gives) {
  alone a;
  pool other(1);
  const bool same = other.install([&] {
    const auto me = std::this_thread::get_id();
    const auto stays = [&] {
      return std::this_thread::get_id() == me && filch::this_worker::pool() == &other &&
             filch::this_worker::slot() == filch::this_worker::index();
    };
    return a.p.submit(stays).get() && a.p.install(stays);
  });
  EXPECT_TRUE(same);
}
