// filch::blocking, spares, and waits that stop helping.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <set>
#include <stdexcept>
#include <vector>

#include "filch/detail/sched/registry.hpp"
#include "filch/filch.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::pool;
using filch::test::gate;
using filch::test::until;

TEST(blocking, gives_what_the_function_gives) {
  EXPECT_EQ(filch::blocking([] { return 7; }), 7);
  pool p(1);
  EXPECT_EQ(p.install([] { return filch::blocking([] { return 8; }); }), 8);
  EXPECT_THROW(p.install([] { filch::blocking([] { throw std::runtime_error("no"); }); }),
               std::runtime_error);
}

TEST(blocking, a_pool_whose_workers_are_all_blocked_goes_on) {
  for (const std::size_t threads : {1u, 3u}) {
    gate open;
    std::atomic<std::size_t> blocked = 0;
    pool p(threads);
    filch::test::watch(p);
    p.broadcast([&] {  // on each worker, and on no spare
      ++blocked;
      filch::blocking([&] { open.pass(); });
    });
    until([&] { return blocked == threads; });
    EXPECT_EQ(p.submit([] { return 42; }).get(), 42);
    EXPECT_GE(p.install([] { return *filch::this_worker::index(); }), threads);
    open.open();
    p.wait_idle();
  }
}

TEST(blocking, as_many_spares_as_are_blocked_and_no_more_than_allowed) {
  gate open;
  std::atomic<int> blocked = 0;
  pool p({.threads = 2, .max_spares = 3});
  filch::test::watch(p);
  for (int i = 0; i < 8; ++i)
    p.detach([&] {
      ++blocked;
      filch::blocking([&] { open.pass(); });
    });
  until([&] { return blocked == 5; });  // two workers and three spares
  auto late = p.submit([] {});
  EXPECT_FALSE(late.ready());
  open.open();
  late.get();
  p.wait_idle();
  EXPECT_EQ(blocked, 8);
}

TEST(blocking, spares_have_indices_from_size_on_and_objects_of_their_own) {
  pool p(2);
  filch::test::watch(p);
  filch::per_worker<int> objects([] { return 0; }, {.on = &p});
  gate open;
  std::atomic<int> blocked = 0;
  for (int i = 0; i < 4; ++i)
    p.detach([&] {
      objects.local() = static_cast<int>(*filch::this_worker::index()) + 1;
      ++blocked;
      filch::blocking([&] { open.pass(); });
    });
  until([&] { return blocked == 4; });
  open.open();
  p.wait_idle();
  std::multiset<int> seen;  // of the first threads: four blocked ones start four spares
  objects.for_each([&](int n) {
    if (n != 0) seen.insert(n);
  });
  const std::set<int> distinct(seen.begin(), seen.end());
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_EQ(distinct.size(), 4u);
  EXPECT_GE(*distinct.begin(), 1);
  EXPECT_LE(*distinct.rbegin(), 2 + 4);
  EXPECT_EQ(p.metrics().workers.size(), 2u);
  const auto on_spares = std::distance(distinct.upper_bound(2), distinct.end());
  EXPECT_GE(on_spares, 2);
  EXPECT_EQ(p.metrics().spares.jobs, static_cast<std::size_t>(on_spares));
}

// A spare is used again instead of being made anew, and does nothing while no worker is blocked.
TEST(blocking, spares_rest_and_are_used_again) {
  pool p(1);
  filch::test::watch(p);
  for (int round = 0; round < 200; ++round) {
    gate open;
    const auto index = [] { return *filch::this_worker::index(); };
    auto blocked = p.submit([&] {
      filch::blocking([&] { open.pass(); });
      return index();
    });
    const std::size_t other = p.submit(index).get();
    open.open();
    const std::size_t mine = blocked.get();  // a spare that is not resting yet may have run it
    EXPECT_NE(mine, other) << round;
    EXPECT_LE(std::max(mine, other), 1u) << round;
    p.wait_idle();
  }
}

TEST(blocking, a_broadcast_is_not_for_spares) {
  gate open;
  std::atomic<int> blocked = 0;
  pool p(2);
  filch::test::watch(p);
  for (int i = 0; i < 3; ++i)
    p.detach([&] {
      ++blocked;
      filch::blocking([&] { open.pass(); });
    });
  until([&] { return blocked == 3; });
  std::atomic<int> ran = 0;
  p.broadcast([&] { ++ran; });
  open.open();
  p.wait_idle();
  EXPECT_EQ(ran, 2);
}

// One worker is missing, however often it says so.
TEST(blocking, inside_of_blocking_counts_once) {
  std::atomic<int> started = 0;
  {
    pool p({.threads = 1, .on_start = [&](std::size_t) { ++started; }});
    filch::test::watch(p);
    for (int round = 0; round < 20; ++round)
      p.install([&] {
        filch::blocking([&] {
          filch::blocking([] { filch::blocking([] {}); });
          gate ran;
          p.detach([&] { ran.open(); });  // for the spare that still stands in
          ran.pass();
        });
      });
  }
  EXPECT_EQ(started, 2) << "the worker, and one spare";
}

// The worker that waits in the region is the one that is already missing.
TEST(blocking, a_region_inside_of_blocking_counts_once) {
  std::atomic<int> started = 0;
  {
    pool p({.threads = 1, .on_start = [&](std::size_t) { ++started; }});
    filch::test::watch(p);
    for (int round = 0; round < 20; ++round)
      p.install([&] {
        filch::blocking([&] {
          auto outside = p.submit([] {}, {.priority = filch::priority::high});
          filch::isolate([&] { outside.get(); });
          auto polled = p.submit([] {}, {.priority = filch::priority::high});
          filch::isolate([&] {
            while (!polled.wait_for(std::chrono::seconds(0))) continue;
          });
        });
      });
  }
  EXPECT_EQ(started, 2) << "the worker, and one spare";
}

// So is one that sleeps in blocking() because its stack is full.
TEST(blocking, a_full_stack_inside_of_blocking_counts_once) {
  std::atomic<int> started = 0;
  {
    pool other(1);
    pool p({.threads = 1, .max_help_depth = 0, .on_start = [&](std::size_t) { ++started; }});
    filch::test::watch(p);
    for (int round = 0; round < 20; ++round)
      p.install([&] {
        filch::blocking([&] {
          gate ran;
          p.detach([&] { ran.open(); });  // for the spare
          other.submit([&] { ran.pass(); }).get();
        });
      });
  }
  EXPECT_EQ(started, 2) << "the worker, and one spare";
}

TEST(blocking, hooks_run_on_spares_too) {
  std::atomic<int> started = 0, stopped = 0;
  {
    pool p({.threads = 1,
            .on_start = [&](std::size_t) { ++started; },
            .on_stop = [&](std::size_t) { ++stopped; }});
    filch::test::watch(p);
    gate open;
    auto blocked = p.submit([&] { filch::blocking([&] { open.pass(); }); });
    p.submit([] {}).get();
    open.open();
    blocked.get();
  }
  EXPECT_EQ(started, 2);
  EXPECT_EQ(stopped, 2);
}

// ---- bounded helping ----------------------------------------------------------------------------

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

}  // namespace

class help_depth : public testing::TestWithParam<std::size_t> {};

// Each task waits for an event that another pool signals when the oldest task here has run. A wait
// that helps takes the next task, which waits too: without a limit all of them are on one stack.
TEST_P(help_depth, is_bounded_when_all_wait_for_the_last) {
  constexpr std::size_t tasks = 2000;
  constexpr std::size_t most = 16;
  pool other(1);
  pool p({.threads = GetParam(), .max_help_depth = most});
  filch::test::watch(p);
  deepest = 0;
  std::atomic<std::size_t> ran = 0;
  p.install([&] {
    filch::scope s;
    gate last;
    auto said = other.submit([&] { last.pass(); });
    s.spawn([&] { last.open(); });  // the oldest: its own worker finds it last
    std::vector<filch::future<void>> each;
    for (std::size_t i = 0; i < tasks; ++i) each.push_back(other.submit([] {}));
    for (std::size_t i = 0; i < tasks; ++i)
      s.spawn([&, i] {
        const level here;
        each[i].wait();
        other.submit([&] { last.pass(); }).get();
        ++ran;
      });
    s.wait();
    said.get();
  });
  EXPECT_EQ(ran, tasks);
  EXPECT_LE(deepest, most + 1);
  EXPECT_GT(deepest, 1u);
}
INSTANTIATE_TEST_SUITE_P(workers, help_depth, testing::Values(1, 2));

// No spare may be made. Then helping goes on, and nothing hangs.
TEST(help_depth, without_spares_helping_goes_on) {
  pool other(1);
  pool p({.threads = 1, .max_spares = 0, .max_help_depth = 4});
  filch::test::watch(p);
  deepest = 0;
  p.install([&] {
    filch::scope s;
    gate last;
    s.spawn([&] { last.open(); });
    for (int i = 0; i < 100; ++i)
      s.spawn([&] {
        const level here;
        other.submit([&] { last.pass(); }).get();
      });
    s.wait();
  });
  EXPECT_EQ(deepest, 100u);
}

namespace {

/// The only worker sleeps with a full stack, and `block` is going to block the only spare. `block`
/// is called with something to wait for. Then the worker has to help again; otherwise no thread
/// does what both wait for.
template <class Block>
void the_last_spare_is_blocked_too(Block block) {
  std::atomic<bool> blocked = false, ran = false;
  gate over;
  pool other(4);
  pool p({.threads = 1, .max_spares = 1, .max_help_depth = 0});
  filch::test::watch(p);
  p.detach([&] { other.submit([&] { over.pass(); }).get(); });
  until(
      [&] { return p.core()->participants[0].state.doing() == filch::detail::activity::blocked; });
  p.detach([&] {
    block(
        [&] {
          blocked = true;
          over.pass();
        },
        other);
  });
  until([&] { return blocked.load(); });
  p.detach([&] { ran = true; });
  until([&] { return ran.load(); });
  over.open();
  p.wait_idle();
}

}  // namespace

TEST(help_depth, a_full_stack_is_called_back_if_the_last_spare_blocks) {
  the_last_spare_is_blocked_too([](auto f, pool&) { filch::blocking(f); });
}

TEST(help_depth, a_full_stack_is_called_back_if_the_last_spare_waits_in_a_region) {
  the_last_spare_is_blocked_too(
      [](auto f, pool& other) { filch::isolate([&] { other.submit(f).get(); }); });
}

// Only this worker may run its part of a broadcast.
TEST(help_depth, a_full_stack_is_called_back_for_a_broadcast) {
  gate over;
  pool other(4);
  pool p({.threads = 1, .max_help_depth = 0});
  filch::test::watch(p);
  p.detach([&] { other.submit([&] { over.pass(); }).get(); });
  until(
      [&] { return p.core()->participants[0].state.doing() == filch::detail::activity::blocked; });
  p.broadcast([&] { over.open(); });
  p.wait_idle();
  EXPECT_TRUE(over.is_open());
}

// The other way round: no spare can stand in for a wait in a region, until one comes back.
TEST(help_depth, a_spare_stays_for_those_who_wait_in_a_region_without_one) {
  gate spare_blocks, worker_waits, spare_goes_on, over;
  pool other(4);
  pool p({.threads = 1, .max_spares = 1, .max_help_depth = 0});
  filch::test::watch(p);
  auto first = p.submit([&] {
    filch::blocking([&] { spare_blocks.pass(); });  // the spare is started
    filch::isolate([&] {
      other
          .submit([&] {
            worker_waits.open();
            over.pass();
          })
          .get();
    });
  });
  auto second = p.submit([&] {
    filch::blocking([&] {
      spare_blocks.open();
      spare_goes_on.pass();
    });
  });
  worker_waits.pass();
  spare_goes_on.open();
  second.get();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(p.submit([=] { return i; }).get(), i);
  over.open();
  first.get();
}

// Urgent work goes before what the waiting job has spawned, but not without end.
TEST(help_depth, is_bounded_when_urgent_work_waits_for_its_own) {
  constexpr std::size_t most = 4;
  pool p({.threads = 1, .max_help_depth = most});
  filch::test::watch(p);
  deepest = 0;
  std::atomic<int> ran = 0;
  {
    const filch::test::occupied busy(p);
    for (int i = 0; i < 2000; ++i)
      p.detach(
          [&] {
            const level here;
            filch::scoped([&](filch::scope& s) { s.spawn([&] { ++ran; }); });
          },
          {.priority = filch::priority::high});
  }
  p.wait_idle();
  EXPECT_EQ(ran, 2000);
  EXPECT_LE(deepest, most + 1);
}

// A worker that sleeps because its stack is full cannot run the last job of its deque, which
// thieves otherwise leave alone.
TEST(help_depth, a_full_stack_leaves_its_last_job_to_thieves_whatever_the_threshold) {
  pool other(1);
  pool p({.threads = 1, .steal_threshold = 2, .max_help_depth = 0});
  filch::test::watch(p);
  EXPECT_EQ(p.install([&] {
    gate ran;
    auto last = filch::submit([&] { ran.open(); });
    return other.install([&] {
      // On a worker of `p`, which waits for this without running `last`.
      ran.pass();
      last.get();
      return 7;
    });
  }),
            7);
}

TEST(blocking, leaves_its_last_job_to_thieves_whatever_the_threshold) {
  for (const std::size_t threads : {1u, 3u}) {
    pool p({.threads = threads, .steal_threshold = 4});
    filch::test::watch(p);
    for (int round = 0; round < 50; ++round)
      p.install([] {
        gate ran;
        auto last = filch::submit([&] { ran.open(); });
        filch::blocking([&] { ran.pass(); });
        last.get();
      });
  }
}

// What its own job has spawned is run at any depth: otherwise a job could wait for itself.
namespace {

/// Each task opens a scope, submits the next task, and waits for its scope.
void submit_next_and_wait_for_a_scope(pool& p, int left) {
  const level one;
  filch::scope s;
  s.spawn([] {});
  if (left > 0) p.detach([&p, left] { submit_next_and_wait_for_a_scope(p, left - 1); });
  s.wait();
}

}  // namespace

TEST(help_depth, is_bounded_when_scopes_wait_below_what_was_submitted) {
  pool p({.threads = 1, .max_help_depth = 16});
  filch::test::watch(p);
  deepest = 0;
  p.detach([&] { submit_next_and_wait_for_a_scope(p, 1000); });
  p.wait_idle();
  EXPECT_LE(deepest, 16 + 2u);
}

TEST(help_depth, own_jobs_are_run_at_any_depth) {
  std::atomic<int> ran = 0;
  pool p({.threads = 1, .max_spares = 0, .max_help_depth = 0});
  filch::test::watch(p);
  p.install([&] {
    filch::scoped([&](filch::scope& s) {
      for (int i = 0; i < 10; ++i)
        s.spawn([&] {
          filch::scoped([&](filch::scope& t) {
            for (int k = 0; k < 10; ++k) t.spawn([&] { ++ran; });
          });
        });
    });
  });
  EXPECT_EQ(ran, 100);
}
