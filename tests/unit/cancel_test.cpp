// Cancellation: options::stop, scope::cancel(), scope::cancel_at(), scope::stop_token().
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/tracked.hpp"

using filch::cancelled;
using filch::pool;
using filch::scope;
using filch::scoped;
using filch::test::gate;
using filch::test::occupied;
using filch::test::tracked;
using filch::test::until;
using namespace std::chrono_literals;

namespace {

using steady = std::chrono::steady_clock;

/// The message of the `cancelled` that `f` throws; empty if it throws none.
template <class T>
std::string reason(filch::future<T> f) {
  try {
    (void)f.get();
  } catch (const cancelled& e) {
    return e.what();
  }
  return {};
}

}  // namespace

// ---- submit and detach --------------------------------------------------------------------------

TEST(options_stop, a_task_that_has_not_started_is_skipped) {
  pool p(1);
  std::stop_source source;
  std::atomic<int> ran = 0;
  std::optional<occupied> busy(p);
  auto f = p.submit([&] { return ++ran; }, {.stop = source.get_token()});
  p.detach([&] { ++ran; }, {.stop = source.get_token()});
  source.request_stop();
  busy.reset();
  EXPECT_NE(reason(std::move(f)).find("options::stop"), std::string::npos);
  p.wait_idle();
  EXPECT_EQ(ran, 0);
}

TEST(options_stop, a_task_that_has_started_goes_on) {
  pool p(1);
  std::stop_source source;
  gate started, go_on;
  auto f = p.submit(
      [&] {
        started.open();
        go_on.pass();
        return 7;
      },
      {.stop = source.get_token()});
  started.pass();
  source.request_stop();
  go_on.open();
  EXPECT_EQ(f.get(), 7);
}

TEST(options_stop, without_a_request_changes_nothing) {
  pool p(2);
  std::stop_source source;
  EXPECT_EQ(p.submit([] { return 7; }, {.stop = source.get_token()}).get(), 7);
  EXPECT_EQ(filch::submit([] { return 8; }, {.stop = source.get_token(), .on = &p}).get(), 8);
}

TEST(options_stop, the_closure_of_a_skipped_task_is_destroyed_before_the_pool_is_idle) {
  pool p(1);
  std::stop_source source;
  source.request_stop();
  auto f = p.submit([t = tracked(1)] { return t.number(); }, {.stop = source.get_token()});
  p.detach([t = tracked(2)] { FAIL() << t.number(); }, {.stop = source.get_token()});
  p.wait_idle();
  EXPECT_EQ(tracked::live(), 0);
  EXPECT_THROW(f.get(), cancelled);
}

TEST(options_stop, skips_what_a_task_submits_to_its_own_pool) {
  pool p(1);
  std::stop_source source;
  auto inner = p.submit([&] {
                  auto f = filch::submit([] { return 1; }, {.stop = source.get_token()});
                  source.request_stop();
                  return f;
                }).get();
  EXPECT_THROW(inner.get(), cancelled);
}

TEST(options_stop, skips_the_tasks_of_a_scope_and_stops_its_token) {
  pool p(1);
  std::stop_source source;
  scope s({.stop = source.get_token(), .on = &p});
  const std::stop_token token = s.stop_token();
  EXPECT_FALSE(token.stop_requested());
  source.request_stop();
  EXPECT_TRUE(token.stop_requested());
  s.spawn([] { FAIL() << "it ran"; });
  auto f = s.async([] { return 1; });
  s.wait();
  EXPECT_NE(reason(std::move(f)).find("options::stop"), std::string::npos);
}

TEST(options_stop, that_came_first_stops_a_token_that_is_asked_for_later) {
  pool p(1);
  std::stop_source source;
  source.request_stop();
  scope s({.stop = source.get_token(), .on = &p});
  EXPECT_TRUE(s.stop_token().stop_requested());
}

TEST(options_stop, outlives_the_scope_that_was_tied_to_it) {
  pool p(1);
  std::stop_source source;
  std::stop_token token;
  {
    scope s({.stop = source.get_token(), .on = &p});
    token = s.stop_token();
  }
  source.request_stop();
  EXPECT_FALSE(token.stop_requested()) << "no thread cancelled the scope while it lived";
}

TEST(options_stop, of_scoped_skips_tasks_but_calls_the_function) {
  pool p(1);
  std::stop_source source;
  source.request_stop();
  bool called = false;
  scoped(
      [&](scope& s) {
        called = true;
        s.spawn([] { FAIL() << "it ran"; });
      },
      {.stop = source.get_token(), .on = &p});
  EXPECT_TRUE(called);
}

// ---- scope::cancel ------------------------------------------------------------------------------

TEST(scope_cancel, skips_what_has_not_started_and_wait_returns_as_usual) {
  pool p(1);
  int ran = 0;
  p.install([&] {
    scope s;
    std::vector<filch::future<int>> futures;
    for (int i = 0; i < 50; ++i) {
      s.spawn([&] { ++ran; });
      futures.push_back(s.async([&] { return ++ran; }));
    }
    s.cancel();
    s.wait();
    for (auto& f : futures)
      EXPECT_NE(reason(std::move(f)).find("scope::cancel()"), std::string::npos);
  });
  EXPECT_EQ(ran, 0);
}

TEST(scope_cancel, by_a_task_skips_those_behind_it) {
  pool p(1);
  int ran = 0;
  p.install([&] {
    scope s;
    for (int i = 0; i < 50; ++i)
      s.spawn([&] {
        if (++ran == 10) s.cancel();
      });
    s.wait();
  });
  EXPECT_EQ(ran, 10);
}

TEST(scope_cancel, lasts) {
  pool p(2);
  scope s({.on = &p});
  s.cancel();
  s.wait();
  s.spawn([] { FAIL() << "it ran"; });
  s.cancel();
  auto f = s.async([] { return 1; });
  s.wait();
  EXPECT_THROW(f.get(), cancelled);
}

TEST(scope_cancel, does_not_hide_what_a_task_threw) {
  pool p(1);
  scope s({.on = &p});
  s.spawn([&] {
    s.cancel();
    throw std::runtime_error("after the cancel");
  });
  EXPECT_THROW(s.wait(), std::runtime_error);
}

TEST(scope_cancel, is_for_any_thread_and_stops_the_token_that_tasks_look_at) {
  pool p(2);
  scope s({.on = &p});
  gate started;
  s.spawn([&, token = s.stop_token()] {
    started.open();
    until([&] { return token.stop_requested(); });
  });
  started.pass();
  std::thread([&] { s.cancel(); }).join();
  s.wait();
  EXPECT_TRUE(s.stop_token().stop_requested());
}

TEST(scope_cancel, leaves_no_closure_behind) {
  pool p(2);
  {
    scope s({.on = &p});
    s.cancel();
    for (int i = 0; i < 100; ++i) s.spawn([t = tracked(i)] { FAIL() << t.number(); });
    auto f = s.async([t = tracked(1)] { return t.number(); });
    s.wait();
    EXPECT_EQ(tracked::live(), 0);
    EXPECT_THROW(f.get(), cancelled);
  }
  p.wait_idle();
}

TEST(scope_cancel, by_unwinding_stops_the_token) {
  pool p(1);
  std::stop_token token;
  try {
    scope s({.on = &p});
    token = s.stop_token();
    throw 1;
  } catch (int) {
  }
  EXPECT_TRUE(token.stop_requested());
  token = {};
  EXPECT_THROW(scoped(
                   [&](scope& s) {
                     token = s.stop_token();
                     throw 1;
                   },
                   {.on = &p}),
               int);
  EXPECT_TRUE(token.stop_requested());
}

TEST(scope_cancel, runs_callbacks_of_the_token_where_it_is_called) {
  pool p(1);
  scope s({.on = &p});
  std::thread::id ran_on;
  const std::stop_callback note(s.stop_token(), [&] { ran_on = std::this_thread::get_id(); });
  s.cancel();
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

// A thread that sees the token stopped starts no task of that scope afterwards. A token never
// misses the cancel, whichever of the two comes first.
TEST(scope_cancel, against_the_first_look_at_the_token_and_against_starting_tasks) {
  pool p(3);
  filch::test::watch(p);
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> ran = 0;
    int futures_ran = 0, futures_skipped = 0;
    std::stop_token seen;
    {
      scope s({.on = &p});
      std::vector<filch::future<int>> futures;
      std::thread other([&] {
        seen = s.stop_token();
        s.cancel();
      });
      for (int i = 0; i < 20; ++i) {
        s.spawn([&] { ++ran; });
        futures.push_back(s.async([&] { return ++ran; }));
      }
      (void)s.stop_token();
      other.join();
      const int before = ran;
      s.spawn([&] { ran = -1'000'000; });
      s.wait();
      ASSERT_GE(ran, before) << "a task started after the cancel was seen";
      for (auto& f : futures) ++(reason(std::move(f)).empty() ? futures_ran : futures_skipped);
    }
    ASSERT_TRUE(seen.stop_requested());
    ASSERT_EQ(futures_ran + futures_skipped, 20);
    ASSERT_GE(ran, futures_ran);
  }
}

// ---- deadlines ----------------------------------------------------------------------------------

TEST(scope_cancel_at, a_time_that_is_over_cancels_at_once) {
  pool p(1);
  scope s({.on = &p});
  const std::stop_token token = s.stop_token();
  s.cancel_at(steady::now() - 1s);
  EXPECT_TRUE(token.stop_requested());
  s.spawn([] { FAIL() << "it ran"; });
  auto f = s.async([] { return 1; });
  s.wait();
  EXPECT_NE(reason(std::move(f)).find("cancel_at"), std::string::npos);
}

TEST(scope_cancel_at, a_time_that_has_not_come_changes_nothing) {
  pool p(2);
  scope s({.on = &p});
  s.cancel_at(steady::now() + 24h);
  EXPECT_EQ(s.async([] { return 1; }).get(), 1);
  EXPECT_FALSE(s.stop_token().stop_requested());
  s.wait();
}

TEST(scope_cancel_at, skips_by_itself_what_starts_later) {
  pool p(1);
  p.install([&] {
    scope s;
    const auto end = steady::now() + 2ms;
    s.cancel_at(end);
    const std::stop_token token = s.stop_token();
    bool late = false;
    s.spawn([&] { late = true; });  // the older one: runs last, on one worker
    s.spawn([&] { until([&] { return steady::now() > end; }); });
    s.wait();
    EXPECT_FALSE(late);
    EXPECT_TRUE(token.stop_requested()) << "the skipped task has noticed";
  });
}

TEST(scope_cancel_at, is_noticed_by_a_thread_that_asks_for_the_token) {
  pool p(1);
  scope s({.on = &p});
  s.cancel_at(steady::now() + 1ms);
  s.spawn([&] { until([&] { return s.stop_token().stop_requested(); }); });
  s.wait();
  EXPECT_TRUE(s.stop_token().stop_requested());
}

TEST(scope_cancel_at, the_earliest_of_several_counts) {
  pool p(1);
  scope first({.on = &p}), last({.on = &p});
  first.cancel_at(steady::now() - 1s);
  first.cancel_at(steady::now() + 24h);
  last.cancel_at(steady::now() + 24h);
  last.cancel_at(steady::now() - 1s);
  EXPECT_TRUE(first.stop_token().stop_requested());
  EXPECT_TRUE(last.stop_token().stop_requested());
}

TEST(scope_cancel_at, takes_the_time_of_any_clock) {
  const auto is_cancelled_at = [](auto when) {
    pool p(1);
    scope s({.on = &p});
    s.cancel_at(when);
    return s.stop_token().stop_requested();
  };
  using system = std::chrono::system_clock;
  using hours = std::chrono::time_point<system, std::chrono::hours>;
  using exact = std::chrono::time_point<steady, std::chrono::duration<double>>;
  EXPECT_TRUE(is_cancelled_at(system::now() - 1min));
  EXPECT_FALSE(is_cancelled_at(system::now() + 10min));
  EXPECT_FALSE(is_cancelled_at(exact(steady::now()) + std::chrono::duration<double>(600.5)));
  for (const bool furthest : {false, true}) {
    EXPECT_EQ(is_cancelled_at(furthest ? system::time_point::max() : system::time_point::min()),
              !furthest);
    EXPECT_EQ(is_cancelled_at(furthest ? steady::time_point::max() : steady::time_point::min()),
              !furthest);
    EXPECT_EQ(is_cancelled_at(furthest ? hours::max() : hours::min()), !furthest);
  }
}

TEST(scope_cancel_at, goes_with_a_token_and_the_first_reason_that_is_noticed_is_reported) {
  pool p(1);
  std::stop_source source;
  scope s({.stop = source.get_token(), .on = &p});
  s.cancel_at(steady::now() + 24h);
  EXPECT_EQ(s.async([] { return 1; }).get(), 1);
  source.request_stop();
  for (int i = 0; i < 2; ++i) {
    auto f = s.async([] { return 1; });
    EXPECT_NE(reason(std::move(f)).find("options::stop"), std::string::npos);
    s.cancel();
  }
  s.wait();
}
