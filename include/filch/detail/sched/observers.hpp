// How a sampler learns that a pool which slept is awake.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/auto_reset_event.hpp"

namespace filch::detail {

class outside_queues;
class roster;

/// Lets samplers sleep while a pool sleeps. A sampler adds its event, then asks is_asleep(). If
/// that says yes, a participant that wakes or comes sets the event.
class observers {
 public:
  observers(const roster& all, const outside_queues& queues) noexcept
      : all_(all), queues_(queues) {}
  observers(const observers&) = delete;
  observers& operator=(const observers&) = delete;

  /// Sets `e`, once, when a participant wakes or comes. Any thread. Throws `std::bad_alloc`.
  void notify_when_awake(auto_reset_event& e);
  /// After this `e` may go. Any thread.
  void forget(auto_reset_event& e) noexcept;
  /// Does every participant sleep, and does no job wait? Also true after the pool has ended. Any
  /// thread that does not take part.
  bool is_asleep() const noexcept;

  /// A participant is active again, and has called set_doing() before this.
  void participant_is_awake() noexcept {
    light_fence();
    if (any_wait_.load(std::memory_order_relaxed)) [[unlikely]]  // ordered by the fences
      notify();
  }

 private:
  [[gnu::cold, gnu::noinline]] void notify() noexcept;

  const roster& all_;
  const outside_queues& queues_;
  std::atomic<bool> any_wait_{false};  // is there any in events_?
  std::mutex mutex_;                   // events_
  std::vector<auto_reset_event*> events_;
};

}  // namespace filch::detail
