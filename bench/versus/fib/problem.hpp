// fib(n) by naive recursion: all fork, no work, so it measures the price of a fork. No cut-off, in
// any runtime: a cut-off would measure the serial code instead. Each runtime is used as its own
// documentation does.
#pragma once

namespace fib {

inline constexpr int n = 34;
inline constexpr long expected = 5'702'887;
inline constexpr double forks = 9'227'464;  // fib(n + 1) - 1

}  // namespace fib
