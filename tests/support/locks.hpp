// Locks for tests of isolation: another job wants the lock while its holder waits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "filch/detail/sched/registry.hpp"
#include "filch/pool.hpp"

namespace filch::test {

/// A lock that any thread may release. It hangs if its own holder wants it again.
class plain_lock {
 public:
  void lock() {
    while (held_.exchange(true)) std::this_thread::yield();
  }
  void unlock() { held_ = false; }

 private:
  std::atomic<bool> held_ = false;
};

/// Has the worker looked at everything, and found nothing that it may run?
inline bool sleeps(const pool& p, std::size_t worker) {
  return p.core()->participants[worker].state.doing() == detail::activity::sleeping;
}

/// For death tests: calls `f`, which ought to hang. Ends the program with code 3 if it does, that
/// is, if `progress` has returned the same value for a while.
template <class F, class Progress>
[[noreturn]] void expect_hang(F f, Progress progress) {
  std::thread([progress] {
    for (auto before = progress() - 1; before != progress();) {
      before = progress();
      std::this_thread::sleep_for(std::chrono::seconds(2));
    }
    std::cerr << "it hangs" << std::endl;
    std::_Exit(3);
  }).detach();
  f();
  std::_Exit(0);
}

template <class F>
[[noreturn]] void expect_hang(F f) {
  expect_hang(f, [] { return 0; });
}

}  // namespace filch::test
