// Waits for other threads, and makes them wait.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace filch::test {

/// Returns when `happened()` is true. If it never is, the watchdog of the test reports it.
template <class F>
void until(F happened) {
  while (!happened()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Closed until it is opened. It blocks the thread: the pool does not know that its worker waits
/// here.
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
