// A wait with a full stack: the waiter runs the task that it waits for, if no thread has begun it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "filch/filch.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::test::gate;
using filch::test::occupied;
using filch::test::until;
using namespace std::chrono_literals;

namespace {

/// Every wait of its workers has a full stack. With one worker and no spare, everything runs on
/// that stack.
filch::pool_options full(std::size_t threads, std::size_t spares = 0) {
  return {.threads = threads, .max_spares = spares, .max_help_depth = 0};
}

std::thread::id here() { return std::this_thread::get_id(); }

}  // namespace

TEST(awaited, a_task_that_has_not_begun_is_run_by_its_waiter) {
  pool p(full(1, 1));
  filch::test::watch(p);
  p.install([&] {
    std::atomic<bool> newer = false;
    auto awaited = p.submit([] { return here(); });
    auto other = p.submit([&] { newer = true; });
    EXPECT_EQ(awaited.get(), here());
    EXPECT_FALSE(newer);
    other.get();
    EXPECT_TRUE(newer);
  });
}

TEST(awaited, also_if_it_waits_in_the_injector_or_in_the_deque_of_another_worker) {
  for (const auto level : {filch::priority::high, filch::priority::normal, filch::priority::low}) {
    gate in_deque, submitted, awaited;
    pool p(full(2));
    filch::test::watch(p);
    future<std::thread::id> from_outside, from_worker;
    auto waiter = p.submit([&] {
      submitted.pass();
      const bool both = from_outside.get() == here() && from_worker.get() == here();
      awaited.open();
      return both;
    });
    auto other = p.submit([&] {
      from_worker = p.submit([] { return here(); });
      in_deque.open();
      awaited.pass();
    });
    in_deque.pass();
    from_outside = p.submit([] { return here(); }, {.priority = level});
    submitted.open();
    EXPECT_TRUE(waiter.get());
    other.get();
  }
}

TEST(awaited, what_has_begun_is_left_to_a_spare_and_its_own_thread) {
  gate begun, may_end;
  pool p(full(1, 4));
  filch::test::watch(p);
  auto slow = p.submit([&] {
    begun.open();
    filch::blocking([&] { may_end.pass(); });
    return here();
  });
  begun.pass();
  const bool another = p.submit([&] {
                          auto opener = p.submit([&] { may_end.open(); });
                          return slow.get() != here();
                        }).get();
  EXPECT_TRUE(another);
  p.wait_idle();
}

TEST(awaited, a_task_of_another_pool_is_not_run_here) {
  pool other(full(1));
  pool p(full(1, 1));
  filch::test::watch(p);
  std::optional<occupied> busy(other);
  auto elsewhere = other.submit([] { return here(); });
  p.install([&] {
    p.detach([&] { busy->leave(); });
    EXPECT_NE(elsewhere.get(), here());
  });
}

TEST(awaited, what_it_throws_comes_out_of_get) {
  pool p(full(1));
  filch::test::watch(p);
  p.install([&] {
    auto awaited = p.submit([]() -> int { throw std::runtime_error("no"); });
    EXPECT_THROW(awaited.get(), std::runtime_error);
  });
}

TEST(awaited, is_skipped_if_it_was_cancelled) {
  pool p(full(1));
  filch::test::watch(p);
  bool ran = false;
  p.install([&] {
    std::stop_source source;
    auto stopped = p.submit([&] { ran = true; }, {.stop = source.get_token()});
    source.request_stop();
    EXPECT_THROW(stopped.get(), filch::cancelled);
    filch::scope s;
    auto cancelled = s.async([&] { ran = true; });
    s.cancel();
    EXPECT_THROW(cancelled.get(), filch::cancelled);
  });
  p.wait_idle();
  EXPECT_FALSE(ran);
}

TEST(awaited, tasks_of_scopes_are_run_too_and_counted_once) {
  pool p(full(1));
  filch::test::watch(p);
  int runs = 0;
  p.install([&] {
    filch::scope s;  // counts by itself
    auto awaited = s.async([&] { return ++runs, here(); });
    s.spawn([&] { ++runs; });
    EXPECT_EQ(awaited.get(), here());
    EXPECT_EQ(runs, 1);
    s.wait();
  });
  EXPECT_EQ(runs, 2);
  filch::scope outside({.on = &p});  // the pool counts its tasks
  future<int> inner;
  gate filled;
  outside.spawn([&] {
    filled.pass();
    runs += inner.get();
  });
  inner = outside.async([] { return 5; });
  filled.open();
  outside.wait();
  EXPECT_EQ(runs, 7);
}

// A wait that helps may exceed its time by one job, and so may this.
TEST(awaited, is_run_even_if_the_time_of_the_wait_is_over) {
  pool p(full(1));
  filch::test::watch(p);
  p.install([&] {
    bool ran = false;
    auto awaited = p.submit([&] { ran = true; });
    EXPECT_TRUE(awaited.wait_for(0s));
    EXPECT_TRUE(ran);
  });
}

// What it polls for cannot be claimed, so a spare has to be started.
TEST(awaited, a_loop_that_polls_with_a_full_stack_gets_on) {
  pool p(full(1));
  filch::test::watch(p);
  EXPECT_EQ(p.install([&] {
    auto f = p.submit([] { return 41; }).then([](int n) { return n + 1; });
    while (!f.wait_for(0s)) continue;
    return f.get();
  }),
            42);
}

TEST(awaited, what_follows_a_result_is_waited_for_at_any_depth) {
  for (const std::size_t spares : {0u, 1u}) {
    pool p(full(1, spares));
    filch::test::watch(p);
    const int answer = p.install([&] {
      auto one = p.submit([] { return 1; }).then([](int n) { return n + 1; });
      auto two = p.submit([] { return 40; });
      return std::get<0>(filch::when_all(std::move(one), std::move(two)).get()) + 40;
    });
    EXPECT_EQ(answer, 42);
  }
}

TEST(awaited, in_a_region_only_what_belongs_to_it) {
  pool p(full(1, 1));
  filch::test::watch(p);
  p.install([&] {
    auto outside = p.submit([] { return here(); });
    filch::isolate([&] {
      auto inside = p.submit([] { return here(); });
      EXPECT_EQ(inside.get(), here());
      EXPECT_NE(outside.get(), here());  // by the spare
    });
  });
}

// What a claimed task waits for is in its region too.
TEST(awaited, in_a_region_it_stays_there) {
  pool p(full(1, 1));
  filch::test::watch(p);
  p.install([&] {
    auto outside = p.submit([] { return here(); });
    filch::isolate([&] {
      auto inside = p.submit([&] {
        auto deeper = p.submit([] { return here(); });
        const std::thread::id first = deeper.get();
        return std::pair(first, outside.get());
      });
      const auto [deeper, elsewhere] = inside.get();
      EXPECT_EQ(deeper, here());
      EXPECT_NE(elsewhere, here());
    });
  });
}

// A future leaves its isolated scope with a job that does not belong to the scope, but to its
// region.
TEST(awaited, an_isolated_scope_waits_for_a_task_that_another_job_waits_for) {
  gate begun, may_end;
  std::atomic<bool> ended = false;
  pool p(full(1, 1));
  filch::test::watch(p);
  std::thread opener;
  {
    filch::scope s({.on = &p, .isolate = true});
    s.spawn([&] {
      auto f = std::make_shared<future<void>>(s.async([&] {
        begun.open();
        may_end.pass();
        ended = true;
      }));
      p.detach([f] { f->wait(); });
    });
    begun.pass();
    opener = std::thread([&] {
      std::this_thread::sleep_for(2ms);  // time in which it could go wrong
      may_end.open();
    });
    s.wait();
    EXPECT_TRUE(ended);
  }
  opener.join();
  p.wait_idle();
}

// An outside thread takes part, waits in a branch of its own that no pool counts, and claims a
// task. The worker then finds the entry while the task still runs: the pool is not idle.
TEST(awaited, the_pool_is_not_idle_while_a_task_runs_whose_entry_was_found) {
  pool p(full(2));
  filch::test::watch(p);
  gate waiter_began, submitted, claimed, may_end;
  std::optional<occupied> busy(std::in_place, p, 1);
  filch::future<std::thread::id> awaited;
  p.detach([&] {
    waiter_began.open();
    submitted.pass();
    EXPECT_EQ(awaited.get(), here());
  });
  waiter_began.pass();
  awaited = p.submit([&] {
    claimed.open();
    may_end.pass();
    return here();
  });
  auto behind = p.submit([] {});
  submitted.open();
  claimed.pass();
  busy->leave();
  behind.get();  // so the entry before it was found
  EXPECT_FALSE(p.wait_idle_for(0s));
  may_end.open();
  p.wait_idle();
}

// The entry holds a share of the task, and is gone before the pool is idle.
TEST(awaited, the_pool_is_idle_when_the_entry_was_found_too) {
  pool p(full(1));
  filch::test::watch(p);
  p.install([&] {
    auto awaited = p.submit([] {});
    awaited.get();
    p.detach([] {});
  });
  p.wait_idle();
  EXPECT_EQ(p.metrics().total().jobs, 3u);
}

// ---- against thieves ----------------------------------------------------------------------------

TEST(awaited, runs_exactly_once_whichever_thread_comes_first) {
  constexpr std::size_t tasks = 300;
  for (const std::size_t spares : {0u, 1u, 256u}) {
    pool p(full(2, spares));
    filch::test::watch(p);
    std::vector<std::atomic<int>> runs(2 * tasks);
    std::atomic<std::size_t> results = 0;
    p.install([&] {
      filch::scope s;
      for (std::size_t i = 0; i < tasks; ++i) {
        auto submitted = p.submit([&, i] { return ++runs[2 * i]; });
        auto async = s.async([&, i] { return ++runs[2 * i + 1]; });
        s.spawn([&, f = std::make_shared<future<int>>(std::move(submitted))] {
          results += static_cast<std::size_t>(f->get());
        });
        results += static_cast<std::size_t>(async.get());
      }
    });
    p.wait_idle();
    EXPECT_EQ(results, 2 * tasks);
    for (const auto& n : runs) EXPECT_EQ(n, 1);
  }
}

TEST(awaited, a_future_may_be_dropped_before_its_entry_is_found) {
  std::atomic<int> runs = 0;
  pool p({.threads = 2, .max_spares = 2, .max_help_depth = 0, .queue_limit = 4});
  filch::test::watch(p);
  for (int i = 0; i < 300; ++i) {
    auto task = p.submit([&] { ++runs; });
    p.detach([&runs, f = std::make_shared<future<void>>(std::move(task))]() mutable {
      f->wait();
      f.reset();
      ++runs;
    });
  }
  p.wait_idle();
  EXPECT_EQ(runs, 600);
}

// ---- depth --------------------------------------------------------------------------------------

namespace {

thread_local std::size_t depth = 0;
std::atomic<std::size_t> deepest = 0;

/// Counts how many of them are on one stack.
class level {
 public:
  level() {
    ++depth;
    for (std::size_t d = deepest; d < depth && !deepest.compare_exchange_weak(d, depth);) continue;
  }
  level(const level&) = delete;
  level& operator=(const level&) = delete;
  ~level() { --depth; }
};

constexpr std::size_t most = 8;

}  // namespace

class deep : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  const std::size_t threads = std::get<0>(GetParam());
  const std::size_t spares = std::get<1>(GetParam());
  pool p{{.threads = threads, .max_spares = spares, .max_help_depth = most}};
  void SetUp() override {
    filch::test::watch(p);
    deepest = 0;
  }
};

// Each task waits for one that lies below all of them. A wait that helps takes the next task, which
// waits too: without a limit all are on one stack. With one worker nothing begins elsewhere unless
// a spare is started, so the limit must hold without spares.
TEST_P(deep, tasks_that_wait_for_what_lies_below_them_all_do_not_nest) {
  constexpr std::size_t tasks = 3000;
  std::vector<std::atomic<int>> runs(tasks);
  std::atomic<std::size_t> ended = 0;
  p.install([&] {
    std::vector<future<void>> below;
    for (std::size_t i = 0; i < tasks; ++i) below.push_back(p.submit([&, i] { ++runs[i]; }));
    filch::scope s;
    for (std::size_t i = 0; i < tasks; ++i)
      s.spawn([&, i] {
        const level one;
        below[i].get();
        ++ended;
      });
  });
  p.wait_idle();
  EXPECT_EQ(ended, tasks);
  for (const auto& n : runs) EXPECT_EQ(n, 1);
  if (threads == 1 || spares > 1) {
    EXPECT_LE(deepest, most + 1);
  }
  if (threads == 1) {
    EXPECT_EQ(deepest, most + 1);
  }
}

// A wait for the tasks of a scope also helps if an urgent task comes in between.
TEST_P(deep, urgent_tasks_that_wait_for_scopes_do_not_nest) {
  constexpr std::size_t tasks = 1000;
  std::atomic<std::size_t> ended = 0;
  {
    occupied busy(p);
    for (std::size_t i = 0; i < tasks; ++i)
      p.detach(
          [&] {
            const level one;
            filch::scope s;
            s.spawn([&] { ++ended; });
          },
          {.priority = filch::priority::high});
  }
  p.wait_idle();
  EXPECT_EQ(ended, tasks);
  if (threads == 1 || spares > 1) {
    EXPECT_LE(deepest, most + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(awaited, deep,
                         testing::Combine(testing::Values(1, 2), testing::Values(0, 1, 256)));
