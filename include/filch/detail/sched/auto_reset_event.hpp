// The event by which a sampler learns that a pool which slept is awake.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace filch::detail {

/// An event: any thread sets it, and one thread waits for it. The wait resets the event. If the
/// event was set before the wait began, the wait returns at once. Plain locks are good enough: the
/// event is set only when a pool that slept wakes, and when a sampler ends.
class auto_reset_event {
 public:
  /// Any thread.
  void set() noexcept {
    {
      const std::scoped_lock lock(mutex_);
      is_set_ = true;
    }
    changed_.notify_one();
  }
  /// Waits until it is set, and resets it. The one waiter only.
  void wait() noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return std::exchange(is_set_, false); });
  }
  /// The same, at most until `deadline`. True if it was set.
  bool wait_until(std::chrono::steady_clock::time_point deadline) noexcept {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [this] { return std::exchange(is_set_, false); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

}  // namespace filch::detail
