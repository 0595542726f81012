// What counters and traces add to jobs of 100 ns and 1 us of arithmetic. Run it as it is and with
// FILCH_TRACE=/dev/null, in turns; docs/investigations/0007-observing.md has figures.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "filch/pool.hpp"
#include "filch/scope.hpp"

namespace {

constexpr std::int64_t jobs = 10'000;

/// A chain of multiplications, each of which waits for the one before: about a nanosecond each. It
/// is aligned the same in every program, because the placement of its loop has changed its time by
/// 3 %, which is more than the effect that is measured here.
[[gnu::noinline, gnu::aligned(64)]] void work(std::int64_t steps) {
  std::uint64_t x = static_cast<std::uint64_t>(steps);
  for (std::int64_t i = 0; i < steps; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    benchmark::DoNotOptimize(x);
  }
}

void jobs_of(benchmark::State& state) {
  filch::pool pool(
      {.threads = static_cast<std::size_t>(state.range(0)), .idle = filch::idle::latency});
  const std::int64_t steps = state.range(1);
  for (auto _ : state) {
    pool.install([=] {
      filch::scope s;
      for (std::int64_t i = 0; i < jobs; ++i) s.spawn([=] { work(steps); });
      s.wait();
    });
  }
  state.counters["per_job"] =
      benchmark::Counter(static_cast<double>(jobs), benchmark::Counter::kIsIterationInvariantRate |
                                                        benchmark::Counter::kInvert);
}
BENCHMARK(jobs_of)->ArgNames({"workers", "ns"})->ArgsProduct({{1, 2}, {100, 1000}})->UseRealTime();

}  // namespace
