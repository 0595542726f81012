// The threads of a pool.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "filch/detail/base/thread.hpp"

namespace filch::detail {

class registry;
class worker;

/// Starts the threads of a pool, lets them end together, and joins them.
class thread_team {
 public:
  explicit thread_team(registry& home) noexcept : home_(home) {}
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  /// Starts a thread for every worker. Once. Throws `std::system_error`, or `std::bad_alloc`; then
  /// started() says how many workers have one.
  void start_workers();
  std::size_t started() const noexcept { return started_; }
  /// Starts a thread for `who`. It runs anywhere, or on `cpu`. Throws as above.
  void start(worker& who, std::optional<std::size_t> cpu = std::nullopt);

  /// Returns when every thread of the pool has called this. A thread that ended earlier would take
  /// its stack of branches with it while another thread may still look at it.
  void leave_together() noexcept;
  /// Joins all threads. No other is started meanwhile.
  void join() noexcept;

 private:
  registry& home_;
  std::size_t started_ = 0;
  std::mutex mutex_;  // what follows
  std::vector<os_thread> threads_;
  std::size_t leaving_ = 0;
  std::condition_variable all_leave_;
};

}  // namespace filch::detail
