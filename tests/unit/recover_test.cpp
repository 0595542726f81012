// recover(): a value in place of an exception.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/timers.hpp"
#include "support/hang_guard.hpp"
#include "support/suppressing.hpp"

using filch::future;
using filch::pool;
using filch::usage_error;
using filch::test::expect_left_and_right;
using filch::test::throw_left_and_right;

namespace {

int throws() { throw std::runtime_error("no data"); }

}  // namespace

TEST(recover, gives_a_value_in_place_of_an_exception) {
  pool p(2);
  std::string said;
  future<int> f = p.submit(throws).recover([&](std::exception_ptr e) {
    try {
      std::rethrow_exception(std::move(e));
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    return 7;
  });
  EXPECT_EQ(f.get(), 7);
  EXPECT_EQ(said, "no data");
}

TEST(recover, is_skipped_if_there_is_a_value) {
  pool p(2);
  std::atomic<int> called = 0;
  future<std::unique_ptr<int>> f =
      p.submit([] { return std::make_unique<int>(1); }).recover([&](const std::exception_ptr&) {
        return ++called, nullptr;
      });
  EXPECT_EQ(*f.get(), 1);
  EXPECT_EQ(called, 0);
}

TEST(recover, works_for_void_and_for_references) {
  pool p(2);
  bool called = false;
  p.submit([] { throw 1; }).recover([&](const std::exception_ptr&) { called = true; }).get();
  EXPECT_TRUE(called);
  int x = 0, y = 0;
  EXPECT_EQ(&p.submit([]() -> int& { throw 1; })
                 .recover([&](const std::exception_ptr&) -> int& { return x; })
                 .get(),
            &x);
  EXPECT_EQ(&p.submit([&]() -> int& { return y; })
                 .recover([&](const std::exception_ptr&) -> int& { return x; })
                 .get(),
            &y);
}

TEST(recover, ends_the_way_of_an_error_through_a_chain) {
  pool p(2);
  std::atomic<int> skipped = 0;
  const int value = p.submit(throws)
                        .then([&](int x) { return ++skipped, x; })
                        .recover([](const std::exception_ptr&) { return 20; })
                        .then([](int x) { return x + 1; })
                        .get();
  EXPECT_EQ(value, 21);
  EXPECT_EQ(skipped, 0);
}

TEST(recover, also_follows_a_cancellation) {
  pool p(1);
  std::stop_source stop;
  stop.request_stop();
  bool was_cancelled = false;
  future<int> f =
      p.submit([] { return 1; }, {.stop = stop.get_token()}).recover([&](std::exception_ptr e) {
        try {
          std::rethrow_exception(std::move(e));
        } catch (const filch::cancelled&) {
          was_cancelled = true;
        }
        return 2;
      });
  EXPECT_EQ(f.get(), 2);
  EXPECT_TRUE(was_cancelled);
}

TEST(recover, of_a_task_that_was_stopped_before_its_time_runs_in_the_pool_of_that_task) {
  for (const bool late : {false, true}) {
    pool p(1);
    std::stop_source stop;
    future<int> f = filch::submit_after(std::chrono::hours(1), [] { return 1; },
                                        {.stop = stop.get_token(), .on = &p});
    std::atomic<std::thread::id> ran_on;
    const auto handler = [&](const std::exception_ptr&) {
      ran_on = std::this_thread::get_id();
      return 2;
    };
    if (late) stop.request_stop();
    future<int> g = f.recover(handler);
    stop.request_stop();
    EXPECT_EQ(g.get(), 2);
    EXPECT_EQ(ran_on, p.install([] { return std::this_thread::get_id(); }));
  }
}

TEST(recover, delivers_what_its_function_throws) {
  pool p(1);
  future<int> f = p.submit(throws).recover(
      [](const std::exception_ptr&) -> int { throw std::logic_error("worse"); });
  EXPECT_THROW(f.get(), std::logic_error);
}

TEST(recover, that_throws_the_same_exception_keeps_what_it_has_suppressed) {
  pool p(2);
  expect_left_and_right(p.submit(throw_left_and_right).recover([](std::exception_ptr e) {
    std::rethrow_exception(std::move(e));
  }));
}

TEST(recover, takes_the_place_of_the_future_and_refuses_an_empty_function) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  try {
    (void)f.recover(std::function<int(std::exception_ptr)>());
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("filch::future::recover()"), 0u) << e.what();
  }
  future<int> g = f.recover([](const std::exception_ptr&) { return 0; });
  EXPECT_FALSE(f.valid());
  EXPECT_EQ(g.get(), 1);
}

TEST(recover, destroys_its_function_when_it_has_run_or_was_skipped) {
  pool p(1);
  const auto captured = std::make_shared<int>(0);
  const auto handler = [captured](const std::exception_ptr&) { return *captured; };
  future<int> f = p.submit(throws).recover(handler),
              g = p.submit([] { return 1; }).recover(handler);
  f.wait(), g.wait();
  EXPECT_EQ(captured.use_count(), 2);  // this one, and that in `handler`
}
