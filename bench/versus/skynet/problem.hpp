// The sum of the numbers of all leaves of a tree in which every node has ten children: wide and
// flat. No cut-off. The size is the number of leaves, a power of ten.
#pragma once

#include "harness.hpp"

namespace skynet {

inline constexpr int children = 10;

inline long answer(int leaves) {
  for (int rest = leaves; rest > 1; rest /= children)
    if (rest % children != 0) throw bench::usage_error("skynet: a power of ten, please");
  return static_cast<long>(leaves) * (leaves - 1) / 2;
}

inline double tasks(int leaves) {
  double sum = 0;
  for (; leaves > 1; leaves /= children) sum += leaves;
  return sum;
}

inline constexpr bench::problem sum{
    "skynet", {.full = 100'000'000, .quick = 1'000'000, .tiny = 1000}, "task", tasks};

}  // namespace skynet
