// What a task costs: from a worker and from outside, with and without a future. The tasks are
// empty, so all of it is overhead.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"

namespace {

constexpr std::int64_t tasks = 10'000;

void per_task(benchmark::State& state) {
  state.counters["per_task"] =
      benchmark::Counter(static_cast<double>(tasks), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}
filch::pool_options with_workers(const benchmark::State& state) {
  return {.threads = static_cast<std::size_t>(state.range(0)), .idle = filch::idle::latency};
}

std::int64_t submit_and_get(filch::pool& pool, std::vector<filch::future<int>>& results) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < tasks; ++i) results.push_back(pool.submit([] { return 1; }));
  for (auto& r : results) sum += r.get();
  results.clear();
  return sum;
}
void check_and_count(benchmark::State& state, std::int64_t sum) {
  if (sum != tasks * static_cast<std::int64_t>(state.iterations()))
    state.SkipWithError("wrong answer");
  per_task(state);
}

/// A worker spawns into a scope and waits.
void scope_spawn_on_worker(benchmark::State& state) {
  filch::pool pool(with_workers(state));
  for (auto _ : state) {
    pool.install([] {
      filch::scope s;
      for (std::int64_t i = 0; i < tasks; ++i) s.spawn([] {});
      s.wait();
    });
  }
  per_task(state);
}
BENCHMARK(scope_spawn_on_worker)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

/// A worker detaches tasks. Only the detaching is timed, not the running.
void detach_on_worker(benchmark::State& state) {
  filch::pool pool(with_workers(state));
  for (auto _ : state) {
    const double seconds = pool.install([&] {
      const auto start = std::chrono::steady_clock::now();
      for (std::int64_t i = 0; i < tasks; ++i) pool.detach([] {});
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    pool.wait_idle();
    state.SetIterationTime(seconds);
  }
  per_task(state);
}
BENCHMARK(detach_on_worker)->ArgName("workers")->Arg(1)->Arg(2)->UseManualTime();

/// A worker submits, and gets every result.
void submit_on_worker(benchmark::State& state) {
  filch::pool pool(with_workers(state));
  std::vector<filch::future<int>> results;
  results.reserve(static_cast<std::size_t>(tasks));
  std::int64_t sum = 0;
  for (auto _ : state) {
    pool.install([&] { sum += submit_and_get(pool, results); });
  }
  check_and_count(state, sum);
}
BENCHMARK(submit_on_worker)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

/// An outside thread detaches tasks, and waits until all have run.
void detach_from_outside(benchmark::State& state) {
  filch::pool pool(with_workers(state));
  for (auto _ : state) {
    for (std::int64_t i = 0; i < tasks; ++i) pool.detach([] {});
    pool.wait_idle();
  }
  per_task(state);
}
BENCHMARK(detach_from_outside)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

/// An outside thread submits, and gets every result.
void submit_from_outside(benchmark::State& state) {
  filch::pool pool(with_workers(state));
  std::vector<filch::future<int>> results;
  results.reserve(static_cast<std::size_t>(tasks));
  std::int64_t sum = 0;
  for (auto _ : state) sum += submit_and_get(pool, results);
  check_and_count(state, sum);
}
BENCHMARK(submit_from_outside)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
