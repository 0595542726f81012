// The CPU time that an idle pool uses, from the moment that its last work ended. The size is the
// length of that period in milliseconds; "seconds" are seconds of CPU time. It includes what the
// process itself needs for the sleep: `serial` shows how much.
#pragma once

#include <chrono>
#include <ctime>
#include <thread>

#include "harness.hpp"

namespace idle_cpu {

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

inline double used_in(int milliseconds) {
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  return cpu_seconds() - before;
}

/// Work for all workers, for a moment.
inline constexpr int pieces = 1000;
inline void piece() {
  for (int i = 0; i < 1000; ++i) (void)bench::opaque(i);
}

inline constexpr bench::problem after_work{"idle_cpu", {.full = 2000, .quick = 500, .tiny = 10}};

}  // namespace idle_cpu
