#include "filch/promise.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
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
#include "filch/pool.hpp"
#include "filch/this_worker.hpp"
#include "filch/when.hpp"
#include "support/complaint.hpp"
#include "support/coroutine.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::promise;
using filch::usage_error;
using filch::test::complaint;
using filch::test::occupied;

namespace {

struct throws_when_copied {
  throws_when_copied() = default;
  throws_when_copied(const throws_when_copied&) { throw std::runtime_error("no copy"); }
  throws_when_copied(throws_when_copied&&) = default;
};

}  // namespace

static_assert(!std::is_copy_constructible_v<promise<int>>);
static_assert(std::is_nothrow_move_constructible_v<promise<int>>);
static_assert(std::is_base_of_v<std::runtime_error, filch::broken_promise>);

TEST(promise, gives_its_value_to_its_future) {
  promise<int> p;
  future<int> f = p.get_future();
  EXPECT_FALSE(f.ready());
  p.set_value(42);
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), 42);
}

TEST(promise, may_be_set_before_the_future_is_taken) {
  promise<std::unique_ptr<int>> p;
  p.set_value(std::make_unique<int>(3));
  EXPECT_EQ(*p.get_future().get(), 3);
}

TEST(promise, works_for_void_references_and_values_in_braces) {
  promise<void> none;
  none.set_value();
  none.get_future().get();
  int x = 0;
  promise<int&> reference;
  reference.set_value(x);
  EXPECT_EQ(&reference.get_future().get(), &x);
  promise<std::vector<int>> list;
  list.set_value({1, 2, 3});
  EXPECT_EQ(list.get_future().get().size(), 3u);
}

TEST(promise, gives_its_exception_to_its_future) {
  promise<int> p;
  p.set_exception(std::make_exception_ptr(std::runtime_error("no connection")));
  EXPECT_THROW(p.get_future().get(), std::runtime_error);
}

TEST(promise, gives_what_copying_the_value_throws_to_its_future) {
  promise<throws_when_copied> p;
  const throws_when_copied value;
  p.set_value(value);
  EXPECT_THROW(p.get_future().get(), std::runtime_error);
}

TEST(promise, that_is_dropped_unset_is_broken) {
  future<int> f;
  {
    promise<int> p;
    f = p.get_future();
  }
  try {
    f.get();
    FAIL();
  } catch (const filch::broken_promise& e) {
    EXPECT_EQ(std::string(e.what()).find("filch::promise was destroyed before"), 0u) << e.what();
  }
  promise<int> p;
  f = p.get_future();
  p = promise<int>();
  EXPECT_THROW(f.get(), filch::broken_promise);
}

TEST(promise, that_was_moved_is_not_broken) {
  promise<int> p;
  future<int> f = p.get_future();
  promise<int> q = std::move(p);
  EXPECT_FALSE(f.ready());
  q.set_value(1);
  EXPECT_EQ(f.get(), 1);
  EXPECT_NE(complaint([&] { p.set_value(1); }).find("was moved from"), std::string::npos);
  EXPECT_NE(complaint([&] { (void)p.get_future(); }).find("was moved from"), std::string::npos);
}

TEST(promise, can_be_set_once_and_has_one_future) {
  promise<int> p;
  future<int> f = p.get_future();
  EXPECT_NE(complaint([&] { (void)p.get_future(); }).find("a second time"), std::string::npos);
  EXPECT_NE(complaint([&] { p.set_exception(nullptr); }).find("null"), std::string::npos);
  p.set_value(1);
  const auto again = std::make_exception_ptr(1);
  EXPECT_NE(complaint([&] { p.set_value(2); }).find("set_value()"), std::string::npos);
  EXPECT_NE(complaint([&] { p.set_exception(again); }).find("already"), std::string::npos);
  EXPECT_EQ(f.get(), 1);
}

TEST(promise, whose_future_was_dropped_destroys_its_value) {
  const auto token = std::make_shared<int>(0);
  {
    promise<std::shared_ptr<int>> p;
    (void)p.get_future();
    p.set_value(token);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST(promise, a_worker_that_waits_for_its_future_runs_other_jobs) {
  pool one(1);
  filch::test::watch(one);
  promise<int> p;
  future<int> f = p.get_future();
  const int sum = one.install([&] {
    one.detach([&] { p.set_value(20); });  // only this worker can run it
    return f.get() + 1;
  });
  EXPECT_EQ(sum, 21);
}

TEST(promise, then_runs_in_the_pool_in_which_then_was_called) {
  pool p(1), q(1);
  promise<void> set_by_thread, set_by_worker;
  const pool *first = nullptr, *second = nullptr;
  auto both = p.install([&] {
    return filch::when_all(
        set_by_thread.get_future().then([&] { first = filch::this_worker::pool(); }),
        set_by_worker.get_future().then([&] { second = filch::this_worker::pool(); }));
  });
  std::thread([&] { set_by_thread.set_value(); }).join();
  q.install([&] { set_by_worker.set_value(); });
  both.get();
  EXPECT_EQ(first, &p);
  EXPECT_EQ(second, &p);
}

TEST(promise, then_called_outside_of_every_pool_runs_in_the_default_pool) {
  pool q(1);
  promise<void> p;
  const pool* where = nullptr;
  future<void> f = p.get_future().then([&] { where = filch::this_worker::pool(); });
  q.install([&] { p.set_value(); });
  f.get();
  EXPECT_EQ(where, &filch::default_pool());
}

TEST(promise, then_runs_on_the_setter_if_its_pool_has_ended) {
  promise<void> p;
  future<std::thread::id> f;
  {
    pool gone(1);
    gone.install([&] { f = p.get_future().then([] { return std::this_thread::get_id(); }); });
  }
  p.set_value();
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), std::this_thread::get_id());
}

TEST(promise, setting_it_does_not_wait_to_be_admitted_to_a_full_queue) {
  pool full({.threads = 1, .queue_limit = 1});
  promise<int> p;
  future<int> f = full.install([&] { return p.get_future().then([](int x) { return x + 1; }); });
  occupied busy(full);
  full.detach([] {});  // the queue is full
  p.set_value(1);
  EXPECT_FALSE(f.ready());
  busy.leave();
  EXPECT_EQ(f.get(), 2);
}

TEST(promise, a_coroutine_goes_on_in_the_pool_in_which_it_began_to_wait) {
  pool p(1);
  promise<int> from;
  const auto coroutine = [&]() -> filch::test::eager<const pool*> {
    co_await p.schedule();
    (void)co_await from.get_future();
    co_return filch::this_worker::pool();
  };
  auto where = coroutine();
  p.wait_idle();
  from.set_value(1);
  EXPECT_EQ(where.get(), &p);
}

TEST(promise, can_be_an_input_of_when_all_and_when_any) {
  promise<int> a, b;
  auto all = filch::when_all(a.get_future(), b.get_future());
  a.set_value(1);
  EXPECT_FALSE(all.ready());
  b.set_value(2);
  EXPECT_EQ(all.get(), std::make_tuple(1, 2));
  promise<int> c, never;
  auto any = filch::when_any(never.get_future(), c.get_future());
  c.set_value(3);
  EXPECT_EQ(any.get(), (std::pair<std::size_t, int>(1, 3)));
}

TEST(promise, of_threads_that_race_to_set_it_one_succeeds) {
  for (int round = 0; round < 500; ++round) {
    promise<int> p;
    future<int> f = p.get_future();
    std::atomic<int> refused = 0;
    const auto set = [&](int value) {
      try {
        p.set_value(value);
      } catch (const usage_error&) {
        ++refused;
      }
    };
    std::thread other([&] { set(1); });
    set(2);
    other.join();
    ASSERT_EQ(refused, 1);
    const int value = f.get();
    ASSERT_TRUE(value == 1 || value == 2);
  }
}

// The setter, a thread that waits or follows, and the end of the promise, all at the same moment.
TEST(promise, against_waits_and_continuations_nothing_is_lost_or_run_twice) {
  constexpr int rounds = 3'000;
  pool workers(2);
  filch::test::watch(workers);
  std::atomic<std::optional<promise<int>>*> handed{nullptr};
  std::thread setter([&] {
    for (int i = 0; i < rounds; ++i) {
      std::optional<promise<int>>* p = nullptr;
      while ((p = handed.exchange(nullptr)) == nullptr) std::this_thread::yield();
      (*p)->set_value(i);  // `p` may be gone
    }
  });
  std::atomic<int> ran = 0;
  for (int i = 0; i < rounds; ++i) {
    std::optional<promise<int>> p(std::in_place);
    future<int> f = p->get_future();
    handed = &p;
    if (i % 3 == 0)
      EXPECT_EQ(f.get(), i);
    else if (i % 3 == 1)
      EXPECT_EQ(f.then([&](int x) { return ++ran, x; }).get(), i);
    else
      EXPECT_EQ(workers.install([&] { return f.get(); }), i);
  }
  setter.join();
  EXPECT_EQ(ran, rounds / 3);
}
