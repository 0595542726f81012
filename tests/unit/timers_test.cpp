// submit_after(): tasks that begin at a later time.
#include "filch/timers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/this_worker.hpp"
#include "filch/when.hpp"
#include "support/complaint.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::pool_closed;
using filch::submit_after;
using filch::usage_error;
using filch::test::complaint;
using filch::test::occupied;
using filch::test::until;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

/// The number of threads of this process that wait for timers.
int timer_threads() {
  int found = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name == "filch-timer") ++found;
  }
  return found;
}

}  // namespace

TEST(submit_after, runs_its_function_when_the_time_has_passed) {
  pool p(1);
  const auto start = steady_clock::now();
  EXPECT_GE(submit_after(3ms, [] { return steady_clock::now(); }, {.on = &p}).get() - start, 3ms);
  EXPECT_EQ(submit_after(-1h, [] { return 1; }, {.on = &p}).get(), 1);
  EXPECT_THROW(submit_after(0s, [] { throw std::runtime_error("late"); }, {.on = &p}).get(),
               std::runtime_error);
}

TEST(submit_after, uses_the_chosen_pool_or_the_current_or_the_default_pool) {
  pool p(1), q(1);
  const auto where = [] { return filch::this_worker::pool(); };
  EXPECT_EQ(submit_after(0s, where, {.on = &p}).get(), &p);
  EXPECT_EQ(q.install([&] { return submit_after(1us, where); }).get(), &q);
  EXPECT_EQ(submit_after(1us, where).get(), &filch::default_pool());
}

TEST(submit_after, is_not_run_early_by_a_worker_that_waits_with_a_full_stack) {
  pool p({.threads = 1, .max_help_depth = 0});
  p.install([] {
    const auto start = steady_clock::now();
    EXPECT_GE(submit_after(3ms, [] { return steady_clock::now(); }).get() - start, 3ms);
  });
}

TEST(submit_after, has_one_thread_for_all_and_none_when_there_are_no_timers) {
  until([] { return timer_threads() == 0; });
  pool p(1);
  std::stop_source stop;
  std::vector<future<void>> later;
  for (int i = 0; i < 100; ++i)
    later.push_back(submit_after(1h + i * 1s, [] {}, {.stop = stop.get_token(), .on = &p}));
  until([] { return timer_threads() == 1; });
  EXPECT_EQ(submit_after(1us, [] { return 2; }, {.on = &p}).get(), 2);
  EXPECT_EQ(timer_threads(), 1);
  stop.request_stop();
  until([] { return timer_threads() == 0; });
  EXPECT_EQ(submit_after(1us, [] { return 3; }, {.on = &p}).get(), 3);
}

TEST(submit_after, wait_idle_does_not_wait_for_a_time_and_the_future_reports_the_end_of_the_pool) {
  const auto token = std::make_shared<int>(0);
  future<int> closed, ended;
  std::atomic<bool> recovered = false;
  {
    pool p(1), q(1);
    closed = submit_after(1h, [token] { return *token; }, {.on = &p});
    ended = submit_after(std::chrono::hours::max(), [token] { return *token; }, {.on = &q})
                .recover([&](const std::exception_ptr& e) -> int {
                  recovered = true;
                  std::rethrow_exception(e);
                });
    p.wait_idle();
    EXPECT_FALSE(closed.ready());
    p.close();
    EXPECT_TRUE(closed.ready());
    EXPECT_FALSE(ended.ready());
  }
  EXPECT_TRUE(recovered);
  EXPECT_EQ(token.use_count(), 1);
  EXPECT_THROW(ended.get(), pool_closed);
  EXPECT_EQ(complaint<pool_closed>([&] { closed.get(); }).find("filch::submit_after()"), 0u);
}

TEST(submit_after, a_stop_request_cancels_it_at_once) {
  pool p(1);
  std::stop_source stop;
  future<int> f = submit_after(1h, [] { return 1; }, {.stop = stop.get_token(), .on = &p});
  EXPECT_FALSE(f.wait_for(1ms));
  stop.request_stop();
  EXPECT_THROW(f.get(), filch::cancelled);
  EXPECT_THROW(submit_after(1h, [] {}, {.stop = stop.get_token(), .on = &p}).get(),
               filch::cancelled);
}

TEST(submit_after, a_stop_request_does_not_wait_for_a_busy_worker) {
  const auto token = std::make_shared<int>(0);
  pool p(1);
  filch::test::watch(p);
  const occupied busy(p);
  std::stop_source stop;
  future<int> f =
      submit_after(1h, [token] { return *token; }, {.stop = stop.get_token(), .on = &p});
  (void)submit_after(1h, [token] {}, {.stop = stop.get_token(), .on = &p});  // dropped
  stop.request_stop();
  EXPECT_EQ(token.use_count(), 1);
  ASSERT_TRUE(f.ready());
  EXPECT_EQ(complaint<filch::cancelled>([&] { f.get(); }).find("filch::submit_after()"), 0u);
}

TEST(submit_after, a_deadline_before_the_time_ends_the_wait) {
  pool p(1);
  filch::test::watch(p);
  EXPECT_THROW(submit_after(1h, [] {}, {.on = &p, .deadline = steady_clock::now() + 1ms}).get(),
               filch::cancelled);
}

TEST(submit_after, a_time_that_is_no_number_is_over) {
  pool p(1);
  filch::test::watch(p);
  const std::chrono::duration<double> none(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(submit_after(none, [] { return 1; }, {.on = &p}).get(), 1);
}

TEST(submit_after, refuses_what_it_cannot_do) {
  pool p(1);
  const auto token = std::make_shared<int>(0);
  const auto f = [token] {};
  EXPECT_THROW((void)submit_after(1s, std::function<void()>(), {.on = &p}), usage_error);
  EXPECT_THROW((void)submit_after(1s, f, {.grain = 3, .on = &p}), usage_error);
  p.close();
  try {
    (void)submit_after(1s, f, {.on = &p});
    FAIL();
  } catch (const pool_closed& e) {
    EXPECT_NE(std::string(e.what()).find("is closed"), std::string::npos) << e.what();
  }
  EXPECT_EQ(token.use_count(), 2);  // this one, and that in `f`
}

TEST(submit_after, does_not_wait_to_be_admitted_to_a_full_queue) {
  pool full({.threads = 1, .queue_limit = 1}), other(1);
  occupied busy(full);
  full.detach([] {});  // the queue is full
  future<int> late = submit_after(0s, [] { return 1; }, {.on = &full});
  EXPECT_EQ(submit_after(1us, [] { return 2; }, {.on = &other}).get(), 2);
  EXPECT_FALSE(late.ready());
  busy.leave();
  EXPECT_EQ(late.get(), 1);
}

TEST(submit_after, a_dropped_future_neither_waits_nor_cancels) {
  std::atomic<bool> ran = false;
  pool p(1);
  (void)submit_after(1ms, [&] { ran = true; }, {.on = &p});
  until([&] { return ran.load(); });
}

TEST(submit_after, may_be_called_by_the_tasks_and_closures_of_timers) {
  pool p(1);
  std::atomic<int> ran = 0;
  const auto add = [&] { (void)submit_after(1us, [&] { ++ran; }, {.on = &p}); };
  submit_after(1us,
               [add, at_end = std::shared_ptr<void>(nullptr, [add](void*) { add(); })] { add(); },
               {.on = &p})
      .get();
  until([&] { return ran == 2; });
}

TEST(submit_after, of_many_threads_every_task_runs_once_or_is_cancelled) {
  constexpr int each = 300;
  pool p(2);
  filch::test::watch(p);
  std::atomic<int> ran = 0, wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      std::vector<future<void>> all;
      for (int i = 0; i < each; ++i) {
        std::stop_source stop;
        all.push_back(submit_after(std::chrono::microseconds((i * 37 + t) % 2'000), [&] { ++ran; },
                                   {.stop = stop.get_token(), .on = &p}));
        if (i % 3 == 0) stop.request_stop();
      }
      for (future<void>& f : all) {
        try {
          f.get();
        } catch (const filch::cancelled&) {
          ++ran;
        } catch (...) {
          ++wrong;
        }
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(ran, 3 * each);
  EXPECT_EQ(wrong, 0);
}

// For each task, either the pool has accepted it, or its future says that the pool was closed.
TEST(submit_after, against_the_end_of_the_pool_nothing_is_lost) {
  for (int round = 0; round < 100; ++round) {
    std::optional<pool> p(std::in_place, 1);
    std::atomic<int> ran = 0;
    std::vector<future<void>> all;
    for (int i = 0; i < 20; ++i)
      all.push_back(submit_after(std::chrono::microseconds(10 * i), [&] { ++ran; }, {.on = &*p}));
    p.reset();
    int closed = 0;
    for (future<void>& f : all) {
      ASSERT_TRUE(f.ready());
      try {
        f.get();
      } catch (const pool_closed&) {
        ++closed;
      }
    }
    ASSERT_EQ(ran + closed, 20);
  }
}
