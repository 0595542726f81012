// For tests of how many threads work at once.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <thread>

#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "support/hang_guard.hpp"

namespace filch::test {

/// A default pool of so many workers, for as long as this lives.
class default_pool_of {
 public:
  explicit default_pool_of(std::size_t threads, std::size_t max_spares = 256) {
    filch::shutdown_default_pool();
    filch::configure_default_pool({.threads = threads, .max_spares = max_spares});
    filch::test::watch(filch::default_pool());
  }
  default_pool_of(const default_pool_of&) = delete;
  default_pool_of& operator=(const default_pool_of&) = delete;
  ~default_pool_of() {
    filch::shutdown_default_pool();
    filch::configure_default_pool({});
  }
};

/// The most bodies that were inside of it at once.
class bodies {
 public:
  void run(int steps) {
    run([steps] {
      for (int i = 0; i < steps; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    });
  }
  template <std::invocable F>
  void run(F body) {
    enter();
    body();
    --inside_;
  }
  /// Other threads run meanwhile, also on few CPUs.
  void nap() {
    enter();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    --inside_;
  }
  int most() const { return most_; }

 private:
  void enter() {
    const int now = ++inside_;
    for (int seen = most_; seen < now && !most_.compare_exchange_weak(seen, now);) {
    }
  }

  std::atomic<int> inside_ = 0, most_ = 0;
};

inline long long tree(int depth) {
  if (depth == 0) return 1;
  const auto [a, b] = filch::join([=] { return tree(depth - 1); }, [=] { return tree(depth - 1); });
  return a + b;
}

}  // namespace filch::test
