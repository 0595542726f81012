// Two rows for an algorithm on few items: the sequential one and filch's.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

#include "filch/pool.hpp"

namespace bench {

/// Calls `body` with an input, made from the number of items, for as long as the benchmark lasts,
/// on a worker. The other worker sleeps, as it does in a program that has nothing larger to do. The
/// compiler may not discard what `body` returns.
template <class Input, class Body>
void measure_on_worker(benchmark::State& state, Body body) {
  filch::pool pool(2);
  Input in(static_cast<std::size_t>(state.range(0)));
  pool.install([&] {
    for (auto _ : state) {
      benchmark::DoNotOptimize(in.a.data());
      auto result = body(in);
      benchmark::DoNotOptimize(result);
      benchmark::ClobberMemory();
    }
  });
}

/// Registers both rows, for no items, one and a hundred.
template <class Input, class Sequential, class Forked>
void compare_small(const std::string& name, Sequential sequential, Forked forked) {
  for (const bool is_filch : {false, true})
    benchmark::RegisterBenchmark((name + (is_filch ? "/filch" : "/sequential")).c_str(),
                                 [=](benchmark::State& state) {
                                   if (is_filch)
                                     measure_on_worker<Input>(state, forked);
                                   else
                                     measure_on_worker<Input>(state, sequential);
                                 })
        ->Arg(0)
        ->Arg(1)
        ->Arg(100)
        ->UseRealTime();
}

}  // namespace bench
