// A thread that is no worker submits empty tasks, ten thousand at a time, and waits for each of
// them: by a future in filch and with std::async, by a task_group in oneTBB, which has no futures.
#pragma once

#include "tasks.hpp"

namespace futures {

inline constexpr int at_once = 10'000;

inline constexpr bench::problem empty{
    "futures", {.full = 1'000'000, .quick = 200'000, .tiny = 1000}, "task", [](int size) {
      return static_cast<double>(size);
    }};

/// Calls wait_for(m) until `n` tasks have run, with at most `at_once` tasks each time.
template <class Wait>
void in_turns(int n, Wait wait_for) {
  for (int left = n; left > 0; left -= at_once) wait_for(left < at_once ? left : at_once);
}

}  // namespace futures
