// What a fork costs: fib without a cut-off on 1 and 2 workers, and the same function without forks.
#include "filch/join.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

#include "filch/pool.hpp"

namespace {

constexpr int n = 27;
/// Read at run time. DoNotOptimize of a variable that is captured by reference does not work: g++
/// 12 loses its value.
volatile int n_unknown = n;  // NOLINT
constexpr std::int64_t fib_n = 196'418;
constexpr double forks = 317'810;  // fib(n + 1) - 1

[[gnu::noinline]] std::int64_t serial(int k) {
  if (k < 2) return k;
  return serial(k - 1) + serial(k - 2);
}

std::int64_t forked(int k) {
  if (k < 2) return k;
  const auto [x, y] = filch::join([=] { return forked(k - 1); }, [=] { return forked(k - 2); });
  return x + y;
}

void report(benchmark::State& state, std::int64_t answer) {
  if (answer != fib_n) state.SkipWithError("wrong answer");
  state.counters["per_fork"] = benchmark::Counter(
      forks, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void fib_serial(benchmark::State& state) {
  std::int64_t answer = 0;
  for (auto _ : state) {
    answer = serial(n_unknown);
    benchmark::DoNotOptimize(answer);
  }
  report(state, answer);
}
BENCHMARK(fib_serial)->UseRealTime();

void fib_join(benchmark::State& state) {
  filch::pool pool(static_cast<std::size_t>(state.range(0)));
  std::int64_t answer = 0;
  for (auto _ : state) {
    answer = pool.install([k = int{n_unknown}] { return forked(k); });
  }
  report(state, answer);
}
BENCHMARK(fib_join)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
