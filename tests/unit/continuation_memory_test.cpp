// What continuations allocate, and what they do without memory.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/promise.hpp"
#include "filch/shared_future.hpp"
#include "filch/when.hpp"
#include "support/allocations.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/parkers.hpp"

using filch::future;
using filch::pool;
using filch::test::allocations;
using filch::test::fail_allocation;
using filch::test::occupied;

TEST(continuation_memory, then_allocates_once) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 1; });
  const std::size_t before = allocations().made;
  future<int> g = f.then([](int x) { return x; });
  EXPECT_EQ(allocations().made, before + 1);
  busy.reset();
  filch::test::until([&] { return g.ready(); });  // get() may need a parker, the first time
  EXPECT_EQ(allocations().made, before + 1);
  EXPECT_EQ(g.get(), 1);
}

TEST(continuation_memory, without_memory_then_leaves_the_future_as_it_was) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  {
    const fail_allocation none(1);
    EXPECT_THROW((void)f.then([](int x) { return x; }), std::bad_alloc);
  }
  EXPECT_TRUE(f.valid());
  EXPECT_EQ(f.get(), 1);
}

TEST(continuation_memory, a_promise_recover_and_share_allocate_once_each) {
  pool p(1);
  filch::test::store_a_parker();
  p.install([] {  // a notification on this worker goes into its deque
    std::size_t before = allocations().made;
    const auto allocated = [&] {
      return allocations().made - std::exchange(before, allocations().made);
    };
    filch::promise<int> source;
    EXPECT_EQ(allocated(), 1u);
    future<int> f = source.get_future();
    EXPECT_EQ(allocated(), 0u);
    f = f.recover([](const std::exception_ptr&) { return 0; });
    EXPECT_EQ(allocated(), 1u);
    const filch::shared_future<int> shared = std::move(f).share();
    EXPECT_EQ(allocated(), 1u);
    const filch::shared_future<int> copy = shared;  // NOLINT(*-unnecessary-copy-*)
    EXPECT_EQ(allocated(), 0u);
    source.set_value(1);
    EXPECT_EQ(copy.get(), 1);
    EXPECT_EQ(allocated(), 0u);
  });
}

TEST(continuation_memory, without_memory_share_and_recover_leave_the_future_as_it_was) {
  pool p(1);
  future<int> f = p.submit([] { return 1; });
  {
    const fail_allocation none(1);
    EXPECT_THROW((void)std::move(f).share(), std::bad_alloc);
  }
  {
    const fail_allocation none(1);
    EXPECT_THROW((void)f.recover([](const std::exception_ptr&) { return 0; }), std::bad_alloc);
  }
  EXPECT_TRUE(f.valid());
  EXPECT_EQ(f.get(), 1);
}

// The deque of a worker has room for 1024 jobs. It would have to grow for the continuation.
TEST(continuation_memory, a_continuation_for_which_the_deque_cannot_grow_runs_all_the_same) {
  constexpr int room = 1024;
  pool p(1);
  filch::test::watch(p);
  std::optional<fail_allocation> none;
  std::size_t failed = 0;
  std::atomic<int> others = 0;
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([&] {
    for (int i = 0; i < room; ++i) p.detach([&] { ++others; });
    none.emplace(1, fail_allocation::for_ever);
    return 1;
  });
  future<int> g = f.then([&](int x) {
    failed = fail_allocation::seen();
    none.reset();  // on the same worker: there is only one
    return x + 1;
  });
  busy.reset();
  EXPECT_EQ(g.get(), 2);
  p.wait_idle();
  EXPECT_GE(failed, 1u);
  EXPECT_EQ(others, room);
}

TEST(continuation_memory, when_all_and_when_any_allocate_nothing_later) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  const auto two = [&] {
    std::vector<future<int>> both;
    both.push_back(p.submit([] { return 1; }));
    both.push_back(p.submit([] { return 1; }));
    return both;
  };
  future<std::vector<int>> all = filch::when_all(two());
  future<std::pair<std::size_t, int>> any = filch::when_any(two());
  const std::size_t before = allocations().made;
  busy.reset();
  filch::test::until([&] { return all.ready() && any.ready(); });  // get() may need a parker
  EXPECT_EQ(allocations().made, before);
  EXPECT_EQ(all.get().size(), 2u);
  EXPECT_EQ(any.get().second, 1);
}

TEST(continuation_memory, without_memory_when_all_and_when_any_drop_their_inputs) {
  pool p(1);
  const auto refused = [](std::size_t allocation, auto call) {
    const fail_allocation none(allocation);
    try {
      call();
    } catch (const std::bad_alloc&) {
      return true;
    }
    return false;
  };
  const auto token = std::make_shared<int>(0);
  const auto one = [&] {
    std::vector<future<std::shared_ptr<int>>> inputs;
    inputs.push_back(p.submit([token] { return token; }));
    return inputs;
  };
  for (std::size_t k = 1; k <= 2; ++k) {
    auto a = one(), b = one();
    EXPECT_TRUE(refused(k, [&] { (void)filch::when_all(std::move(a)); })) << k;
    EXPECT_TRUE(refused(k, [&] { (void)filch::when_any(std::move(b)); })) << k;
  }
  p.wait_idle();
  EXPECT_EQ(token.use_count(), 1);
}

TEST(continuation_memory, co_await_allocates_nothing) {
  pool p(1);
  std::optional<occupied> busy(std::in_place, p);
  future<int> f = p.submit([] { return 1; });
  std::size_t started = 0, gone_on = 0;
  const auto body = [&](future<int> from) -> filch::test::eager<int> {
    started = allocations().made;
    const int x = co_await from;
    gone_on = allocations().made;
    co_return x;
  };
  auto c = body(std::move(f));
  EXPECT_EQ(allocations().made, started);
  busy.reset();
  EXPECT_EQ(c.get(), 1);
  EXPECT_EQ(gone_on, started);
}
