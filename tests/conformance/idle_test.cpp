// R4, R6 and R8: what workers without work do, and how they start again.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include "filch/detail/base/backoff.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/stage.hpp"

using filch::idle;
using filch::pool;
using filch::detail::backoff;
using filch::test::gate;
using filch::test::stage;
using filch::test::until;
using namespace std::chrono_literals;

namespace {

/// CPU time that this process has used.
std::chrono::microseconds cpu_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto time = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return time(used.ru_utime) + time(used.ru_stime);
}

bool asleep(const pool& p) {
  for (const auto* w : p.core()->participants.snapshot())
    if (!w->is_guest() && w->state.doing() != filch::detail::activity::sleeping) return false;
  return true;
}

struct setting {
  std::size_t workers;
  filch::idle policy;
};

class R4_deep_idle : public testing::TestWithParam<setting> {};

std::string name_of(const testing::TestParamInfo<setting>& info) {
  static const char* const names[] = {"latency", "balanced", "power"};
  return std::to_string(info.param.workers) + "_" + names[static_cast<int>(info.param.policy)];
}

}  // namespace

// ---- R4: deep idle after a bounded search, no CPU while idle ------------------------------------

TEST_P(R4_deep_idle, comes_after_a_bounded_search_and_costs_nothing) {
  pool p({.threads = GetParam().workers, .idle = GetParam().policy});
  filch::test::watch(p);
  p.install([] {});
  const auto sleeps = [&] { return p.metrics().total().sleeps; };
  // One that has just been woken by another that then lay down looks once more: until that is over.
  until([&] {
    const auto before = sleeps();
    std::this_thread::sleep_for(50ms);
    return asleep(p) && sleeps() == before;
  });
  const auto cpu_before = cpu_time();
  const auto sleeps_before = sleeps();
  std::this_thread::sleep_for(500ms);
  EXPECT_LT(cpu_time() - cpu_before, 25ms);
  EXPECT_EQ(sleeps(), sleeps_before) << "they slept through";
}

INSTANTIATE_TEST_SUITE_P(workers, R4_deep_idle,
                         testing::Values(setting{1, idle::balanced}, setting{2, idle::balanced},
                                         setting{3, idle::latency}, setting{3, idle::power},
                                         setting{8, idle::balanced}),
                         name_of);

// Pitfall 28: a thread that waits for a long job that was stolen sleeps too.
TEST(R4_waiters, use_no_cpu_while_what_they_wait_for_takes_long) {
  pool p(3), other(1);
  p.install([&] {
    const auto before = cpu_time();
    auto f = other.submit([] { std::this_thread::sleep_for(300ms); });
    gate stolen;
    filch::join([&] { stolen.pass(); },
                [&] {
                  stolen.open();
                  std::this_thread::sleep_for(300ms);
                });
    filch::scoped([&](filch::scope& s) {
      gate begun;
      s.spawn([&] {
        begun.open();
        std::this_thread::sleep_for(300ms);
      });
      begun.pass();
    });
    f.get();
    EXPECT_LT(cpu_time() - before, 100ms);
  });
}

TEST(R4_waiters, outside_use_no_cpu_either) {
  pool p(1);
  const auto before = cpu_time();
  p.detach([] { std::this_thread::sleep_for(300ms); });
  p.wait_idle();
  p.install([] { std::this_thread::sleep_for(300ms); });
  filch::scoped([](filch::scope& s) { s.spawn([] { std::this_thread::sleep_for(300ms); }); },
                {.on = &p});
  EXPECT_LT(cpu_time() - before, 100ms);
}

// While a pool is closed but one task runs, the others sleep.
TEST(R4_waiters, of_a_pool_that_is_ending_use_no_cpu) {
  const auto before = cpu_time();
  {
    pool p(3);
    p.detach([] { std::this_thread::sleep_for(500ms); });
  }
  EXPECT_LT(cpu_time() - before, 100ms);
}

// What a worker draws its waits and its moment of sleep from. One seed for all would be a bug.
TEST(R4_entry, is_drawn_from_a_stream_of_its_own_by_each_worker) {
  stage s({.threads = 16});
  std::set<std::vector<std::uint32_t>> streams;
  for (std::size_t i = 0; i < 16; ++i) {
    std::vector<std::uint32_t> drawn(8);
    for (auto& n : drawn) n = s.worker(i).random.bounded(1024);
    streams.insert(drawn);
  }
  EXPECT_EQ(streams.size(), 16u);
}

// ---- R6: randomised exponential back-off, capped, reset on success ------------------------------

TEST(R6_backoff, differs_between_the_workers_of_a_pool) {
  stage s({.threads = 16});
  std::set<std::vector<std::uint32_t>> sequences;
  for (std::size_t i = 0; i < 16; ++i) {
    backoff waits(s.worker(i).random);
    std::vector<std::uint32_t> drawn(16);
    for (auto& n : drawn) n = waits.next();
    sequences.insert(drawn);
  }
  EXPECT_EQ(sequences.size(), 16u);
}

TEST(R6_backoff, grows_to_its_cap_and_starts_over_after_a_success) {
  stage s({.threads = 1});
  backoff waits(s.worker(0).random, {.first = 4, .cap = 256});
  std::uint32_t longest = 0;
  for (int i = 0; i < 200; ++i) longest = std::max(longest, waits.next());
  EXPECT_LE(longest, 256u);
  EXPECT_GT(longest, 128u);
  waits.reset();
  EXPECT_LE(waits.next(), 4u);
}

// ---- R8: an idle pool starts external work ------------------------------------------------------

class R8_cold_start : public testing::TestWithParam<std::size_t> {};

TEST_P(R8_cold_start, of_a_single_job) {
  pool p({.threads = GetParam(), .idle = filch::idle::power});
  filch::test::watch(p);
  for (int i = 0; i < 500; ++i) {
    until([&] { return asleep(p); });
    ASSERT_EQ(p.submit([i] { return i; }).get(), i);
  }
}

TEST_P(R8_cold_start, reaches_every_worker_while_there_is_work) {
  pool p({.threads = GetParam(), .idle = filch::idle::power});
  filch::test::watch(p);
  for (int round = 0; round < 50; ++round) {
    until([&] { return asleep(p); });
    std::atomic<std::size_t> inside = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      p.detach([&] {
        ++inside;
        until([&] { return inside >= p.size(); });
      });
    p.wait_idle();
  }
}

INSTANTIATE_TEST_SUITE_P(workers, R8_cold_start, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());
