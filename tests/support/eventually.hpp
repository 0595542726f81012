// Waiting for what other threads are about to do, and making them wait.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace filch::test {

/// Returns when `happened()` is true. If it never is, the watchdog of the test says so.
template <class F>
void until(F happened) {
  while (!happened()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Closed until it is opened. Blocks the thread: no pool knows that somebody waits here.
class gate {
 public:
  void open() { open_ = true; }
  bool is_open() const { return open_; }
  void pass() const {
    until([this] { return is_open(); });
  }

 private:
  std::atomic<bool> open_ = false;
};

}  // namespace filch::test
