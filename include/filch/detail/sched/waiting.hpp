// Waiting for a latch, on a participant of a pool or on any other thread.
#pragma once

#include <chrono>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/latch.hpp"

namespace filch::detail {

/// Waits until `done` is set: a participant of a pool helps meanwhile, any other thread sleeps.
/// `what` is the task that sets it, if that is known: a waiter with a full stack may still run it.
void wait_for(latch& done, awaited_task* what = nullptr) noexcept;

/// The same, at most until `deadline`. True if `done` was set.
bool wait_for_until(latch& done, std::chrono::steady_clock::time_point deadline,
                    awaited_task* what = nullptr) noexcept;

/// The same, but the calling thread sleeps, even if it is a participant.
bool wait_asleep(latch& done, std::chrono::steady_clock::time_point deadline) noexcept;

/// Looks at `done` for as long as `looks` calls of cpu_relax() take. True if it was set. Any
/// thread.
bool is_set_within(int looks, const latch& done) noexcept;

/// wait_for_until() and wait_for() for header code.
inline bool await_until(latch& done, std::chrono::steady_clock::time_point deadline,
                        awaited_task* what) noexcept {
  const bool there = call_hidden<&wait_for_until>(done, deadline, what);
  if (there) tsan_acquire(&done);
  return there;
}
inline void await(latch& done, awaited_task* what = nullptr) noexcept {
  call_hidden<&wait_for>(done, what);
  tsan_acquire(&done);
}

/// Now plus `time`; time_point::max() if that is further away than the clock can say. Now if `time`
/// is negative or no number.
template <class Rep, class Period>
std::chrono::steady_clock::time_point deadline_after(std::chrono::duration<Rep, Period> time) {
  using clock = std::chrono::steady_clock;
  const auto now = clock::now();
  if (!(time > time.zero())) return now;
  const std::chrono::duration<double> left = clock::time_point::max() - now;
  if (std::chrono::duration<double>(time) >= left) return clock::time_point::max();
  return now + std::chrono::ceil<clock::duration>(time);
}

/// The time `when` of any clock, as a time of steady_clock. Setting the other clock later does not
/// move it.
template <class Clock, class Duration>
std::chrono::steady_clock::time_point deadline_at(std::chrono::time_point<Clock, Duration> when) {
  using seconds = std::chrono::duration<double>;
  const auto now = Clock::now();
  // A time far away may be too large for an exact difference, and does not need one.
  const seconds rough = seconds(when.time_since_epoch()) - seconds(now.time_since_epoch());
  const bool near = rough > -std::chrono::hours(1) && rough < std::chrono::hours(1);
  return near ? deadline_after(when - now) : deadline_after(rough);
}

}  // namespace filch::detail
