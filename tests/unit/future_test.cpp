#include "filch/future.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/pool.hpp"
#include "filch/spawn.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::usage_error;
using filch::test::gate;
using filch::test::occupied;
using filch::test::until;
using namespace std::chrono_literals;

TEST(future, can_be_moved_but_not_copied) {
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<future<int>>);
  EXPECT_TRUE(std::is_nothrow_move_assignable_v<future<int>>);
  EXPECT_FALSE(std::is_copy_constructible_v<future<int>>);
  EXPECT_FALSE(std::is_copy_assignable_v<future<int>>);
}

TEST(future, without_a_task_is_not_valid) {
  future<int> f;
  EXPECT_FALSE(f.valid());
  EXPECT_THROW(f.get(), usage_error);
  EXPECT_THROW(f.wait(), usage_error);
  EXPECT_THROW((void)f.wait_for(1s), usage_error);
  EXPECT_THROW((void)f.ready(), usage_error);
}

TEST(future, is_valid_until_the_result_is_taken) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  EXPECT_TRUE(f.valid());
  f.wait();
  EXPECT_TRUE(f.valid());
  EXPECT_EQ(f.get(), 1);
  EXPECT_FALSE(f.valid());
}

TEST(future, a_second_get_is_an_error_that_says_so) {
  pool p(1);
  future<void> f = p.submit([] {});
  f.get();
  try {
    f.get();
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("filch::future::get()"), 0u) << e.what();
  }
}

TEST(future, a_second_get_after_an_exception_is_an_error_too) {
  pool p(1);
  future<int> f = p.submit([]() -> int { throw 1; });
  EXPECT_THROW(f.get(), int);
  EXPECT_THROW(f.get(), usage_error);
}

TEST(future, moves_with_its_task) {
  pool p(1);
  future<int> a = p.submit([] { return 1; });
  future<int> b = std::move(a);
  EXPECT_FALSE(a.valid());
  a = p.submit([] { return 2; });
  std::swap(a, b);
  EXPECT_EQ(a.get(), 1);
  b = p.submit([] { return 3; });  // its previous state is dropped
  EXPECT_EQ(b.get(), 3);
}

TEST(future, is_ready_when_there_is_a_result) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 1; });
  EXPECT_FALSE(f.ready());
  EXPECT_FALSE(f.wait_for(0s));
  EXPECT_FALSE(f.wait_for(2ms));
  EXPECT_FALSE(f.wait_for(-1h));
  busy.reset();
  EXPECT_TRUE(f.wait_for(std::chrono::hours::max()));
  EXPECT_TRUE(f.ready());
  EXPECT_TRUE(f.wait_for(0s));
  EXPECT_EQ(f.get(), 1);
}

TEST(future, wait_does_not_throw_what_the_task_threw) {
  pool p(1);
  future<int> f = p.submit([]() -> int { throw 1; });
  f.wait();
  EXPECT_TRUE(f.ready());
  EXPECT_THROW(f.get(), int);
}

TEST(future, wait_for_waits_as_long_as_was_asked_for) {
  pool p(1);
  const occupied busy(p);
  future<void> f = p.submit([] {});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(f.wait_for(3ms));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 3ms);
}

TEST(future, wait_until_takes_a_time_of_any_clock) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 1; });
  const auto end = std::chrono::steady_clock::now() + 3ms;
  EXPECT_FALSE(f.wait_until(end));
  EXPECT_GE(std::chrono::steady_clock::now(), end);
  EXPECT_FALSE(f.wait_until(std::chrono::system_clock::now() + 1ms));
  EXPECT_FALSE(f.wait_until(std::chrono::steady_clock::time_point::min()));
  EXPECT_FALSE(f.wait_until(std::chrono::system_clock::time_point::min()));
  busy.reset();
  EXPECT_TRUE(f.wait_until(std::chrono::steady_clock::time_point::max()));
  EXPECT_TRUE(f.wait_until(std::chrono::system_clock::time_point::min()));
  EXPECT_EQ(f.get(), 1);
  EXPECT_THROW((void)f.wait_until(end), usage_error);
}

TEST(future, a_dropped_one_neither_waits_nor_cancels) {
  std::atomic<bool> ran = false;
  pool p(1);
  {
    const occupied busy(p);
    (void)p.submit([&] { ran = true; });  // would wait for ever
    EXPECT_FALSE(ran);
  }
  p.wait_idle();
  EXPECT_TRUE(ran);
}

TEST(future, the_exception_of_a_dropped_one_is_discarded) {
  std::atomic<int> reported = 0;
  pool p({.threads = 1, .on_exception = [&](const std::exception_ptr&) { ++reported; }});
  (void)p.submit([] { throw 1; });
  p.wait_idle();
  EXPECT_EQ(reported, 0);
}

TEST(future, the_result_of_a_dropped_one_is_destroyed) {
  pool p(1);
  auto held = std::make_shared<int>(1);
  (void)p.submit([copy = held] { return copy; });
  p.wait_idle();
  EXPECT_EQ(held.use_count(), 1);
  {
    auto f = p.submit([copy = held] { return copy; });
    p.wait_idle();
    EXPECT_EQ(held.use_count(), 2) << "the result waits for get()";
  }
  EXPECT_EQ(held.use_count(), 1);
}

// Either side may be the last to let go: the sanitizers notice a double release.
TEST(future, is_dropped_while_its_task_ends) {
  pool p(2);
  for (int i = 0; i < 5000; ++i) {
    auto f = p.submit([s = std::make_unique<int>(i)]() mutable { return std::move(s); });
    if (i % 3 == 0) f.wait();
  }
}

// Pitfall 28: the waiter looks at the injector too.
TEST(future, waiting_on_a_worker_runs_other_jobs) {
  pool p(1), other(1);
  EXPECT_EQ(p.install([&] {
    gate ran;
    auto f = other.submit([&] { ran.pass(); });
    std::thread([&] { p.detach([&] { ran.open(); }); }).join();  // to the injector
    f.get();
    auto g = other.submit([&] { return p.submit([] { return 3; }).get(); });
    return g.get();
  }),
            3);
}

TEST(future, a_loop_that_polls_on_the_only_worker_gets_on) {
  pool p(1);
  filch::test::watch(p);
  p.install([&] {
    auto f = p.submit([] { return 7; });
    while (!f.wait_for(0s)) {
    }
    EXPECT_EQ(f.get(), 7);
  });
}

TEST(future, wait_for_on_a_worker_helps_and_ends) {
  pool p(1), other(1);
  const occupied busy(other);
  auto never = other.submit([] {});
  p.install([&] {
    std::atomic<int> helped = 0;
    for (int i = 0; i < 10; ++i) p.detach([&] { ++helped; });
    EXPECT_FALSE(never.wait_for(2ms));
    until([&] {
      (void)never.wait_for(1ms);
      return helped == 10;
    });
  });
}

TEST(future, may_be_waited_for_by_a_guest) {
  pool p(2);
  std::vector<std::thread> outsiders;
  std::atomic<int> sum = 0;
  for (int t = 0; t < 4; ++t)
    outsiders.emplace_back([&] {
      for (int i = 0; i < 200; ++i) sum += p.submit([] { return 1; }).get();
    });
  for (auto& t : outsiders) t.join();
  EXPECT_EQ(sum, 800);
}

// ---- the free functions -------------------------------------------------------------------------

TEST(spawn, free_functions_use_the_current_pool) {
  pool p(2);
  p.install([&] {
    EXPECT_EQ(filch::submit([] { return filch::this_worker::pool(); }).get(), &p);
    EXPECT_THROW(filch::wait_idle(), usage_error);
  });
}

TEST(spawn, free_functions_use_the_pool_they_are_told_to) {
  pool p(1), q(1);
  p.install([&] {
    EXPECT_EQ(filch::submit([] { return filch::this_worker::pool(); }, {.on = &q}).get(), &q);
    std::atomic<filch::pool*> ran_on = nullptr;
    filch::detach([&] { ran_on = filch::this_worker::pool(); }, {.on = &q});
    until([&] { return ran_on != nullptr; });
    EXPECT_EQ(ran_on, &q);
  });
}

TEST(spawn, free_functions_outside_use_the_default_pool) {
  EXPECT_EQ(filch::submit([] { return filch::this_worker::pool(); }).get(), &filch::default_pool());
  std::atomic<int> ran = 0;
  filch::detach([&] { ++ran; });
  filch::wait_idle();
  EXPECT_EQ(ran, 1);
}

TEST(spawn, free_functions_refuse_what_is_empty) {
  EXPECT_THROW((void)filch::submit(std::function<void()>()), usage_error);
  EXPECT_THROW(filch::detach(std::function<void()>()), usage_error);
}
