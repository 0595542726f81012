#include "filch/shared_future.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
#include "filch/suppressed.hpp"
#include "filch/this_worker.hpp"
#include "filch/when.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::promise;
using filch::shared_future;
using filch::usage_error;
using filch::test::occupied;
using namespace std::chrono_literals;

static_assert(std::is_nothrow_copy_constructible_v<shared_future<int>>);
static_assert(std::is_same_v<decltype(std::declval<shared_future<int>>().get()), const int&>);
static_assert(std::is_same_v<decltype(std::declval<shared_future<int&>>().get()), int&>);
static_assert(std::is_void_v<decltype(std::declval<shared_future<void>>().get())>);

TEST(shared_future, gives_every_copy_the_same_value) {
  pool p(2);
  const shared_future<std::string> a = p.submit([] { return std::string("one"); }).share();
  const shared_future<std::string> b = a;
  EXPECT_EQ(a.get(), "one");
  EXPECT_EQ(&a.get(), &b.get());
  EXPECT_EQ(&a.get(), &a.get());
}

TEST(shared_future, works_for_void_references_and_what_cannot_be_copied) {
  pool p(2);
  bool ran = false;
  p.submit([&] { ran = true; }).share().get();
  EXPECT_TRUE(ran);
  int x = 0;
  EXPECT_EQ(&p.submit([&]() -> int& { return x; }).share().get(), &x);
  const shared_future<std::unique_ptr<int>> owned =
      p.submit([] { return std::make_unique<int>(3); }).share();
  EXPECT_EQ(*owned.get(), 3);
}

TEST(shared_future, takes_the_place_of_the_future) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  const shared_future<int> s = std::move(f);
  EXPECT_FALSE(f.valid());
  EXPECT_THROW((void)std::move(f).share(), usage_error);
  EXPECT_EQ(s.get(), 1);
}

TEST(shared_future, without_a_task_is_an_error_that_says_so) {
  shared_future<int> none;
  EXPECT_FALSE(none.valid());
  EXPECT_THROW((void)none.get(), usage_error);
  EXPECT_THROW((void)none.ready(), usage_error);
  EXPECT_THROW((void)none.then([](int) {}), usage_error);
  try {
    none.wait();
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("filch::shared_future::wait()"), 0u) << e.what();
  }
}

TEST(shared_future, waits_are_limited_in_time) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  const shared_future<int> f = p.submit([] { return 1; }).share();
  EXPECT_FALSE(f.ready());
  EXPECT_FALSE(f.wait_for(1ms));
  EXPECT_FALSE(f.wait_until(std::chrono::system_clock::now()));
  busy.reset();
  EXPECT_TRUE(f.wait_until(std::chrono::steady_clock::time_point::max()));
  EXPECT_TRUE(f.wait_for(0s));
  EXPECT_TRUE(f.ready());
}

TEST(shared_future, throws_what_the_task_threw_every_time) {
  pool p(2);
  const auto fails = [](const char* what) { return [what] { throw std::runtime_error(what); }; };
  const shared_future<void> f =
      p.submit([&] { filch::join(fails("left"), fails("right")); }).share();
  for (int i = 0; i < 2; ++i) {
    try {
      f.get();
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "left");
      EXPECT_EQ(filch::suppressed().size(), 1u);
    }
  }
  std::atomic<int> called = 0;
  future<void> next = f.then([&] { ++called; });
  EXPECT_THROW(next.get(), std::runtime_error);
  EXPECT_EQ(called, 0);
}

TEST(shared_future, then_may_be_called_any_number_of_times_before_and_after) {
  pool p(2);
  std::optional<occupied> busy(std::in_place, p);
  const shared_future<std::unique_ptr<int>> f =
      p.submit([] { return std::make_unique<int>(1); }).share();
  std::vector<future<int>> results;
  const auto add = [&](int n) {
    results.push_back(f.then([n](const std::unique_ptr<int>& one) { return *one + n; }));
  };
  for (int n = 0; n < 50; ++n) add(n);
  busy.reset();
  for (int n = 50; n < 100; ++n) add(n);
  f.wait();
  for (int n = 100; n < 150; ++n) add(n);
  for (int n = 0; n < 150; ++n) EXPECT_EQ(results[static_cast<std::size_t>(n)].get(), n + 1);
  EXPECT_EQ(*f.get(), 1);
}

TEST(shared_future, then_unwraps_a_future_and_refuses_an_empty_function) {
  pool p(2);
  const shared_future<int> f = p.submit([] { return 1; }).share();
  future<int> g = f.then([&p](const int& x) { return p.submit([y = x] { return y + 1; }); });
  EXPECT_EQ(g.get(), 2);
  EXPECT_THROW((void)f.then(std::function<void(const int&)>()), usage_error);
}

TEST(shared_future, then_runs_in_the_pool_of_the_task_or_of_the_caller_after_a_promise) {
  pool p(1), q(1);
  std::optional<occupied> busy(std::in_place, p);
  const shared_future<void> of_task = p.submit([] {}).share();
  const auto where = [] { return filch::this_worker::pool(); };
  future<pool*> after_task = q.install([&] { return of_task.then(where); });
  busy.reset();
  EXPECT_EQ(after_task.get(), &p);
  promise<void> source;
  const shared_future<void> of_promise = source.get_future().share();
  auto after_promise =
      filch::when_all(p.install([&] { return of_promise.then(where); }),
                      q.install([&] { return of_promise.then(where); }), of_promise.then(where));
  std::thread([&] { source.set_value(); }).join();
  EXPECT_EQ(after_promise.get(), std::make_tuple(&p, &q, &filch::default_pool()));
}

TEST(shared_future, a_worker_that_waits_runs_other_jobs) {
  pool one(1);
  filch::test::watch(one);
  const int sum = one.install([&] {
    const shared_future<int> f = one.submit([] { return 20; }).share();  // only this worker can
    return f.get() + 1;
  });
  EXPECT_EQ(sum, 21);
}

TEST(shared_future, the_result_is_destroyed_with_the_last_copy) {
  const auto token = std::make_shared<int>(0);
  pool p(1);
  {
    shared_future<std::shared_ptr<int>> a = p.submit([token] { return token; }).share();
    shared_future<std::shared_ptr<int>> b = a;
    a.wait();
    a = shared_future<std::shared_ptr<int>>();
    p.wait_idle();
    EXPECT_EQ(token.use_count(), 2);
    EXPECT_EQ(b.get(), token);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(shared_future, dropped_before_the_result_neither_waits_nor_leaks) {
  const auto token = std::make_shared<int>(0);
  pool p(1);
  {
    const occupied busy(p);
    const shared_future<std::shared_ptr<int>> f = p.submit([token] { return token; }).share();
    (void)f.then([token](const std::shared_ptr<int>&) {});
  }
  p.wait_idle();
  EXPECT_EQ(token.use_count(), 1);
}

// Threads that wait, wait for a short time, follow and drop their copies while the result comes.
TEST(shared_future, with_many_threads_every_reader_gets_the_result) {
  constexpr int rounds = 300;
  constexpr std::size_t readers = 4;
  pool p(2);
  filch::test::watch(p);
  for (int i = 0; i < rounds; ++i) {
    promise<int> source;
    const shared_future<int> f = source.get_future().share();
    std::atomic<int> sum = 0;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < readers; ++t)
      threads.emplace_back([&, copy = f, t]() mutable {
        future<void> next = copy.then([&](const int& x) { sum += x; });
        if (t % 2 == 0) (void)copy.wait_for(std::chrono::microseconds(20));
        if (t == 1) copy = p.install([&] { return copy.wait(), copy; });
        sum += copy.get();
        next.get();
      });
    source.set_value(i);
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(sum, 2 * static_cast<int>(readers) * i);
  }
}

namespace {

filch::test::eager<const pool*> where_it_goes_on(shared_future<std::string> text) {
  const std::string& got = co_await text;  // g++ 12 cannot await in the condition of an `if`
  co_return got == "shared" ? filch::this_worker::pool() : nullptr;
}
filch::test::eager<int> first_letter(shared_future<std::string> text) {
  co_return (co_await text).front();
}

}  // namespace

TEST(shared_future, any_number_of_coroutines_await_it_and_go_on_where_continuations_run) {
  pool p(2);
  std::optional<occupied> busy(std::in_place, p);
  const shared_future<std::string> text = p.submit([] { return std::string("shared"); }).share();
  std::vector<filch::test::eager<const pool*>> waiting;
  for (int i = 0; i < 10; ++i) waiting.push_back(where_it_goes_on(text));
  EXPECT_FALSE(waiting.front().ended());
  busy.reset();
  for (auto& w : waiting) EXPECT_EQ(w.get(), &p);
  EXPECT_EQ(where_it_goes_on(text).get(), nullptr) << "there is a result: it goes on at once";
}

TEST(shared_future, a_coroutine_that_awaits_it_gets_what_get_would_throw) {
  pool p(1);
  const auto failed =
      p.submit([]() -> std::string { throw std::runtime_error("no text"); }).share();
  EXPECT_THROW((void)first_letter(failed).get(), std::runtime_error);
  EXPECT_THROW((void)first_letter({}).get(), usage_error);
}
