// fib(n) by naive recursion: all fork, no work, so it measures the price of a fork. There is no
// cut-off in any runtime, because a cut-off would measure the serial code instead.
//
// A fork leaves one branch to thieves and runs the other itself. `fib` runs n - 1 first, as it is
// usually written; `fib_swapped` runs n - 2 first and leaves n - 1, which suits some runtimes
// better.
//
// std::async and static threads are left out: they would need a thread for each of 10^8 calls, or
// have no recursion. The queue with a mutex and OpenMP would take minutes, so they do fewer calls,
// and are compared by the time of a fork.
#pragma once

#include "harness.hpp"

namespace fib {

inline long answer(int n) {
  long a = 0;
  long b = 1;
  for (; n > 0; --n) a = std::exchange(b, a + b);
  return a;
}

inline double forks(int n) { return static_cast<double>(answer(n + 1) - 1); }

inline constexpr bench::sizes size{.full = 39, .quick = 32, .tiny = 18};
inline constexpr bench::problem in_order{"fib", size, "fork", forks};
inline constexpr bench::problem swapped{"fib_swapped", size, "fork", forks};

}  // namespace fib
