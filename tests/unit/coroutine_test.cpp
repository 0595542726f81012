#include "support/coroutine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
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
#include "filch/this_worker.hpp"
#include "filch/when.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::test::eager;
using filch::test::lazy;
using filch::test::occupied;
using filch::test::until;

namespace {

using pool_pointer = filch::pool*;  // a coroutine's result

eager<pool_pointer> where_after(pool& p) {
  co_await p.schedule();
  co_return filch::this_worker::pool();
}

template <class T>
eager<T> value_of(future<T> f) {
  co_return co_await std::move(f);
}

/// The future of a task that has ended.
template <class F>
auto ended(pool& p, F f) {
  auto done = p.submit(std::move(f));
  done.wait();
  return done;
}

eager<int> through_both(pool& p, pool& q) {
  co_await p.schedule();
  const int a = co_await p.submit([] { return 1; });
  co_await q.schedule();
  if (filch::this_worker::pool() != &q) co_return -1;
  const auto [b, c] =
      co_await filch::when_all(q.submit([] { return 2; }), p.submit([] { return 3; }));
  co_return a + b + c;
}

eager<bool> stays_where_it_is(pool& closed) {
  const std::thread::id here = std::this_thread::get_id();
  try {
    co_await closed.schedule();
  } catch (const filch::pool_closed&) {
    co_return std::this_thread::get_id() == here;
  }
  co_return false;
}

eager<int> counts(pool& p, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += co_await p.submit([] { return 1; });
    if (i % 16 == 0) co_await p.schedule();
  }
  co_return sum;
}

lazy throws_on(pool& p) {
  co_await p.schedule();
  throw std::runtime_error("out of the coroutine");
}

}  // namespace

TEST(coroutine, schedule_goes_on_on_a_worker_of_the_pool) {
  pool p(2);
  EXPECT_EQ(where_after(p).get(), &p);
}

TEST(coroutine, schedule_on_a_worker_lets_other_work_run) {
  pool p(1);
  std::vector<int> order;
  p.submit([&] {
     auto body = [](pool& on, std::vector<int>& written) -> eager<int> {
       on.detach([&written] { written.push_back(1); });
       co_await on.schedule();
       written.push_back(2);
       co_return 0;
     };
     (void)body(p, order);
   }).get();
  p.wait_idle();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(coroutine, schedule_is_waited_for_by_wait_idle_and_the_end_of_the_pool) {
  std::optional<eager<pool_pointer>> first, second;
  {
    pool p(1);
    first = where_after(p);
    p.wait_idle();
    EXPECT_TRUE(first->ended());
    second = where_after(p);
  }
  EXPECT_TRUE(second->ended());
}

TEST(coroutine, schedule_of_a_closed_pool_throws_in_the_coroutine) {
  pool p(1);
  p.close();
  EXPECT_TRUE(stays_where_it_is(p).get());
}

TEST(coroutine, a_future_gives_what_get_would) {
  pool p(2);
  EXPECT_EQ(value_of(p.submit([] { return 1; })).get(), 1);
  EXPECT_EQ(value_of(ended(p, [] { return 2; })).get(), 2);
  EXPECT_EQ(*value_of(p.submit([] { return std::make_unique<int>(3); })).get(), 3);
}

TEST(coroutine, a_future_may_be_awaited_where_it_is) {
  pool p(2);
  auto body = [](future<int>& f) -> eager<int> { co_return co_await f; };
  future<int> f = p.submit([] { return 1; });
  EXPECT_EQ(body(f).get(), 1);
  EXPECT_FALSE(f.valid());
}

TEST(coroutine, a_future_of_nothing_or_of_a_reference_may_be_awaited) {
  pool p(2);
  int x = 0;
  auto body = [](pool& on, int& to) -> eager<int*> {
    co_await on.submit([&to] { ++to; });
    int& same = co_await on.submit([&to]() -> int& { return to; });
    ++same;
    co_return &same;
  };
  EXPECT_EQ(body(p, x).get(), &x);
  EXPECT_EQ(x, 2);
}

TEST(coroutine, what_a_task_threw_is_thrown_where_it_is_awaited) {
  pool p(2);
  EXPECT_THROW(value_of(p.submit([]() -> int { throw std::runtime_error("task"); })).get(),
               std::runtime_error);
  EXPECT_THROW(value_of(ended(p, []() -> int { throw std::runtime_error("task"); })).get(),
               std::runtime_error);
}

TEST(coroutine, a_future_without_a_task_is_an_error) {
  EXPECT_THROW(value_of(future<int>()).get(), filch::usage_error);
}

TEST(coroutine, goes_on_in_the_pool_in_which_the_task_ended) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  auto body = [](future<int> f) -> eager<pool_pointer> {
    co_await f;
    co_return filch::this_worker::pool();
  };
  auto c = body(p.submit([] { return 1; }));
  EXPECT_FALSE(c.ended());
  busy.reset();
  EXPECT_EQ(c.get(), &p);
}

TEST(coroutine, moves_between_pools) {
  pool p(2), q(2);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(through_both(p, q).get(), 6);
}

TEST(coroutine, many_waits_in_one_need_no_stack) {
  constexpr int rounds = 50'000;
  pool p({.threads = 1, .stack_size = std::size_t{64} * 1024});
  filch::test::watch(p);
  EXPECT_EQ(counts(p, rounds).get(), rounds);
}

TEST(coroutine, many_at_once_each_get_their_own) {
  pool p(3);
  filch::test::watch(p);
  std::vector<eager<int>> all;
  for (int i = 0; i < 100; ++i) all.push_back(counts(p, 50));
  for (auto& c : all) EXPECT_EQ(c.get(), 50);
}

TEST(coroutine, an_exception_that_leaves_it_goes_to_on_exception) {
  std::string said;
  pool p({.threads = 1, .on_exception = [&](const std::exception_ptr& e) {
            try {
              std::rethrow_exception(e);
            } catch (const std::runtime_error& error) {
              said = error.what();
            }
          }});
  const lazy c = throws_on(p);
  c.start();
  p.wait_idle();
  EXPECT_EQ(said, "out of the coroutine");
}
