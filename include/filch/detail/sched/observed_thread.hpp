// The thread that has a participant's slot, as other threads observe it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "filch/detail/base/thread_usage.hpp"

namespace filch::detail {

/// Which thread it is, and since when it is known to have used no processor time. The owner does
/// nothing for the second: the threads that look at it remember what they saw.
class observed_thread {
 public:
  using clock = std::chrono::steady_clock;

  /// The calling thread has the slot from now on. Owner only.
  void begin() noexcept {
    mark_.store(this_thread_mark(), std::memory_order_relaxed);  // orders nothing: for questions
  }
  /// 0 if no thread has had the slot. Any thread.
  thread_mark mark() const noexcept {
    return mark_.load(std::memory_order_relaxed);  // orders nothing: for questions
  }

  /// A look at the time `now` finds that the thread has used `processor_ns` so far. Returns the
  /// time of the first look that found the same. Any thread.
  clock::time_point still_since(std::uint64_t processor_ns, clock::time_point now) const {
    const std::scoped_lock lock(mutex_);
    if (processor_ns != seen_) {
      seen_ = processor_ns;
      since_ = now;
    }
    return since_;
  }

 private:
  std::atomic<thread_mark> mark_{0};
  mutable std::mutex mutex_;  // what follows; taken only by threads that look
  mutable std::uint64_t seen_ = UINT64_MAX;
  mutable clock::time_point since_{};
};

}  // namespace filch::detail
