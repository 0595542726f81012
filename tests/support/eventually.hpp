// Waiting for what other threads are about to do.
#pragma once

#include <chrono>
#include <thread>

namespace filch::test {

/// Returns when `happened()` is true. If it never is, the watchdog of the test says so.
template <class F>
void until(F happened) {
  while (!happened()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace filch::test
