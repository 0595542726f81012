// From asleep to the first instruction: an outside thread gives one task to a pool that has been
// idle for a while. The result is the median of many; the size is how many.
//
// OpenMP is left out, because its teams do not take tasks from outside. std::async shows what
// starting a thread takes, static threads what the system itself needs to wake one.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "harness.hpp"

namespace wake {

inline constexpr std::chrono::milliseconds long_enough_to_sleep{5};

/// Returns the median of `count` times from `give(task)` to the first instruction of the task.
template <class Give>
double median(int count, Give give) {
  using clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(long_enough_to_sleep);
    std::atomic<bool> done{false};
    clock::time_point first;
    const clock::time_point before = clock::now();
    give([&] {
      first = clock::now();
      done.store(true);
    });
    while (!done.load()) std::this_thread::yield();
    seconds.push_back(std::chrono::duration<double>(first - before).count());
  }
  const auto middle = seconds.begin() + count / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

inline constexpr bench::problem from_idle{"wake", {.full = 200, .quick = 50, .tiny = 2}};

}  // namespace wake
