// Back-pressure: pool_options::queue_limit, try_submit, try_detach.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/isolate.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"
#include "support/team.hpp"
#include "support/tracked.hpp"

using filch::pool;
using filch::pool_closed;
using filch::priority;
using filch::test::gate;
using filch::test::occupied;
using filch::test::tracked;
using filch::test::until;

namespace {

/// Does a thread wait to be admitted? It reads a dump, as any program can.
bool full(const pool& p, std::size_t count) {
  std::ostringstream out;
  p.dump(out);
  return out.str().find(" " + std::to_string(count) + " of ") != std::string::npos;
}

}  // namespace

TEST(queue_limit, try_submit_says_no_when_it_is_reached) {
  std::atomic<int> ran = 0;
  pool p({.threads = 1, .queue_limit = 2});
  std::optional<occupied> busy(p);
  auto first = p.try_submit([&] { return ++ran; });
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(p.try_detach([&] { ++ran; }));
  EXPECT_FALSE(p.try_submit([&] { return ++ran; }).has_value());
  EXPECT_FALSE(p.try_detach([&] { ++ran; }));
  busy.reset();
  EXPECT_EQ(first->get(), 1);
  p.wait_idle();
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(p.try_submit([] { return 7; }).value().get(), 7) << "the queue admits tasks again";
}

TEST(queue_limit, what_is_refused_has_not_been_touched) {
  pool p({.threads = 1, .queue_limit = 1});
  const occupied busy(p);
  ASSERT_TRUE(p.try_detach([] {}));
  auto work = [number = std::make_unique<int>(7)] { return *number; };
  EXPECT_FALSE(p.try_submit(std::move(work)).has_value());
  EXPECT_FALSE(p.try_detach(std::move(work)));
  EXPECT_EQ(work(), 7);  // NOLINT(bugprone-use-after-move): that is what is promised
}

TEST(queue_limit, none_means_any_number) {
  pool p(1);
  const occupied busy(p);
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(p.try_detach([] {}));
}

TEST(queue_limit, counts_every_priority) {
  pool p({.threads = 1, .queue_limit = 3});
  const occupied busy(p);
  for (const priority level : {priority::high, priority::normal, priority::low})
    ASSERT_TRUE(p.try_detach([] {}, {.priority = level}));
  for (const priority level : {priority::high, priority::normal, priority::low})
    EXPECT_FALSE(p.try_detach([] {}, {.priority = level}));
}

TEST(queue_limit, submit_waits_to_be_admitted) {
  pool p({.threads = 1, .queue_limit = 1});
  filch::test::watch(p);
  std::optional<occupied> busy(p);
  std::vector<int> order;
  p.detach([&] { order.push_back(0); });
  std::vector<std::thread> waiting;
  std::atomic<int> passed = 0;
  for (int i = 1; i <= 3; ++i)
    waiting.emplace_back([&, i] {
      p.detach([&order, i] { order.push_back(i); });
      ++passed;
    });
  EXPECT_FALSE(p.try_detach([] {}));
  EXPECT_EQ(passed, 0) << "no task has left";
  busy.reset();
  for (std::thread& t : waiting) t.join();
  p.wait_idle();
  EXPECT_EQ(order.size(), 4u);
  EXPECT_EQ(order.front(), 0);
}

TEST(queue_limit, a_batch_that_is_larger_goes_in_as_a_whole) {
  std::atomic<int> ran = 0;
  pool p({.threads = 1, .queue_limit = 2});
  filch::test::watch(p);
  std::optional<occupied> busy(p);
  p.submit_batch(std::vector<std::function<void()>>(10, [&] { ++ran; }));
  EXPECT_FALSE(p.try_detach([] {}));
  std::thread second(
      [&] { p.submit_batch(std::vector<std::function<void()>>(10, [&] { ++ran; })); });
  busy.reset();
  second.join();
  p.wait_idle();
  EXPECT_EQ(ran, 20);
}

TEST(queue_limit, does_not_hold_up_the_pools_own_tasks) {
  std::atomic<int> ran = 0;
  pool p({.threads = 1, .queue_limit = 1});
  filch::test::watch(p);
  p.install([&] {
    for (int i = 0; i < 10; ++i) {
      p.detach([&] { ++ran; });
      p.detach([&] { ++ran; }, {.priority = priority::low});
      EXPECT_TRUE(p.try_detach([&] { ++ran; }));
      EXPECT_TRUE(p.try_detach([&] { ++ran; }, {.priority = priority::high}));
    }
  });
  p.wait_idle();
  EXPECT_EQ(ran, 40);
  EXPECT_TRUE(full(p, 0)) << "every admission was given back";
}

TEST(queue_limit, does_not_hold_up_install_and_broadcast) {
  std::atomic<int> ran = 0;
  pool p({.threads = 2, .queue_limit = 1});
  filch::test::watch(p);
  {
    const occupied busy(p, 1);
    EXPECT_EQ(p.install([] { return 7; }), 7);
    p.broadcast([&] { ++ran; });
  }
  p.wait_idle();
  EXPECT_EQ(ran, 2);
}

TEST(queue_limit, a_scope_from_outside_runs_a_task_in_spawn_beyond_it) {
  for (const bool isolate : {false, true}) {
    pool p({.threads = 1, .queue_limit = 2});
    filch::test::watch(p);
    const occupied busy(p);
    filch::scope s({.on = &p, .isolate = isolate});
    std::vector<int> order;
    for (int i = 0; i < 10; ++i) {
      s.spawn([&order, i] { order.push_back(i); });
      EXPECT_LE(i + 1 - static_cast<int>(order.size()), 2) << "so many wait";
    }
    s.wait();
    EXPECT_EQ(order.size(), 10u);
    EXPECT_EQ(order.front(), isolate ? 2 : 0) << "the oldest, unless they are in a list";
  }
}

TEST(queue_limit, a_scope_from_outside_runs_no_task_of_others) {
  for (const bool isolate : {false, true}) {
    std::atomic<int> own = 0, of_others = 0;
    pool p({.threads = 1, .queue_limit = 4});
    filch::test::watch(p);
    const occupied busy(p);
    for (int i = 0; i < 4; ++i) p.detach([&] { ++of_others; });
    filch::scope s({.on = &p, .isolate = isolate});
    for (int i = 0; i < 100; ++i) s.spawn([&] { ++own; });
    s.wait();
    EXPECT_EQ(own, 100);
    EXPECT_EQ(of_others, 0);
  }
}

TEST(queue_limit, a_scope_from_outside_may_be_opened_under_a_lock_that_the_workers_want) {
  for (const bool isolate : {false, true}) {
    std::mutex wanted;
    std::atomic<bool> inside = false;
    std::atomic<int> ran = 0;
    pool p({.threads = 1, .queue_limit = 1});
    filch::test::watch(p);
    const std::scoped_lock lock(wanted);
    const auto wants = [&] {
      inside = true;
      const std::scoped_lock here(wanted);
    };
    p.detach(wants);
    until([&] { return inside.load(); });
    p.detach(wants);
    const auto use = [&] {
      filch::scope s({.on = &p, .isolate = isolate});
      for (int i = 0; i < 10; ++i) s.spawn([&] { ++ran; });
      s.wait();
    };
    isolate ? use() : filch::isolate(use);
    EXPECT_EQ(ran, 10);
  }
}

TEST(queue_limit, a_worker_of_another_pool_helps_its_own_while_it_waits) {
  pool full_one({.threads = 1, .queue_limit = 1}), other(1);
  filch::test::watch(full_one);
  filch::test::watch(other);
  std::optional<occupied> busy(full_one);
  full_one.detach([] {});
  gate waits;
  auto f = other.submit([&] {
    // Only this worker can run it, while it waits to be admitted.
    other.detach([&] { waits.open(); });
    full_one.detach([] {});
  });
  waits.pass();
  busy.reset();
  f.get();
}

// Two waits to be admitted on one stack: the admission must not be kept for the lower one, which
// cannot go on.
TEST(queue_limit, a_worker_that_waits_twice_to_be_admitted_is_admitted_twice) {
  std::atomic<int> ran = 0;
  pool full_one({.threads = 1, .queue_limit = 1}), other(1);
  filch::test::watch(full_one);
  filch::test::watch(other);
  std::optional<occupied> busy(full_one);
  full_one.detach([&] { ++ran; });
  gate above;
  auto f = other.submit([&] {
    other.detach([&] {  // run by the same worker, while it waits to be admitted
      other.detach([&] { above.open(); });
      full_one.detach([&] { ++ran; });
    });
    full_one.detach([&] { ++ran; });
  });
  above.pass();  // both wait
  busy.reset();
  f.get();
  full_one.wait_idle();
  EXPECT_EQ(ran, 3);
}

TEST(queue_limit, close_refuses_threads_that_wait_to_be_admitted) {
  for (int round = 0; round < 50; ++round) {
    pool p({.threads = 1, .queue_limit = 1});
    filch::test::watch(p);
    std::optional<occupied> busy(p);
    p.detach([] {});
    std::atomic<int> refused = 0, begun = 0;
    filch::test::team waiting(3, [&](std::size_t) {
      ++begun;
      try {
        p.detach([t = tracked(1)] { (void)t; });
      } catch (const pool_closed&) {
        ++refused;
      }
    });
    waiting.start();
    until([&] { return begun == 3; });
    p.close();
    waiting.join();
    EXPECT_EQ(refused, 3);
    EXPECT_THROW((void)p.try_detach([] {}), pool_closed) << "full, but closed comes first";
    EXPECT_THROW((void)p.try_submit([] {}), pool_closed);
    busy.reset();
    EXPECT_EQ(tracked::live(), 0);
  }
}

TEST(queue_limit, the_admission_of_a_task_that_cannot_be_made_is_given_back) {
  struct no_copy {
    no_copy() = default;
    no_copy(const no_copy&) { throw std::runtime_error("no copy"); }
    void operator()() const {}
  };
  pool p({.threads = 1, .queue_limit = 1});
  const occupied busy(p);
  const no_copy work;
  EXPECT_THROW((void)p.try_detach(work), std::runtime_error);
  EXPECT_TRUE(p.try_detach([] {}));
}

TEST(queue_limit, dump_shows_how_many_wait) {
  pool p({.threads = 1, .queue_limit = 5});
  const occupied busy(p);
  for (int i = 0; i < 3; ++i) p.detach([] {});
  std::ostringstream out;
  p.dump(out);
  EXPECT_NE(out.str().find("3 of 5 queued tasks admitted"), std::string::npos) << out.str();
}

// All tasks get in, and the limit is never exceeded.
class queue_limit_crowds : public testing::TestWithParam<std::size_t> {};

TEST_P(queue_limit_crowds, get_in_and_out) {
  constexpr std::size_t producers = 4, each = 2000;
  std::atomic<std::size_t> ran = 0, refused = 0;
  pool p({.threads = 2, .idle = filch::idle::power, .queue_limit = GetParam()});
  filch::test::watch(p);
  filch::test::team crowd(producers, [&](std::size_t n) {
    for (std::size_t i = 0; i < each; ++i) {
      const auto level = static_cast<priority>((n + i) % 3);
      if (i % 5 == 0) {
        if (!p.try_detach([&] { ++ran; }, {.priority = level})) ++refused;
      } else {
        p.detach([&] { ++ran; }, {.priority = level});
      }
    }
  });
  crowd.join();
  p.wait_idle();
  EXPECT_EQ(ran + refused, producers * each);
  EXPECT_TRUE(full(p, 0)) << "every admission was given back";
}

INSTANTIATE_TEST_SUITE_P(limits, queue_limit_crowds, testing::Values(1, 2, 7),
                         testing::PrintToStringParamName());
