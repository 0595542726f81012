// When a pool is idle, and who is notified.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/latch.hpp"

namespace filch::detail {

class intake;
class roster;

/// Finds the moments at which nothing that a pool accepted is unfinished, and the moment at which
/// it has stopped: closed, idle, and without guests. src/sched/idle_detection.md has the proof.
///
/// Edges
///   [leave]  leave_guest() subtracts -> settle() loads guests_   what the guest accepted
///   [stop]   settle() stores stopped_ -> stopped() loads it      everything accepted has ended
///   [final]  begin_stop() stores final_ -> settle() loads it     and then sees every task that an
///            outside thread opened before the pool was closed
class idle_detector {
 public:
  idle_detector(const roster& all, const intake& accepts) noexcept : all_(all), accepts_(accepts) {}
  idle_detector(const idle_detector&) = delete;
  idle_detector& operator=(const idle_detector&) = delete;

  /// Does a thread wait for the pool to be idle, or to stop? A participant asks after it ended a
  /// task or found nothing to do, a guest after leave_guest(). If so, it calls settle(). Any
  /// thread.
  bool has_waiters() const noexcept {
    light_fence();
    return waiters_.load(std::memory_order_relaxed) != 0;  // ordered by the fences
  }
  /// If nothing is unfinished, notifies the waiters. True if the pool has stopped by this call:
  /// then the caller wakes its threads, and calls stop_is_known(). Any thread.
  [[nodiscard]] bool settle() noexcept;
  /// Is nothing unfinished now? Any thread.
  bool is_settled() const noexcept;

  /// Sets `idle` at the next idle moment, unless remove() comes first. Call settle() after it. Any
  /// thread. Throws `std::bad_alloc`.
  void add(latch& idle);
  /// False if `idle` has been set. Any thread.
  bool remove(latch& idle) noexcept;

  /// The pool is closed: from now on it stops when it is idle. Call settle() after it. Once.
  void begin_stop() noexcept;
  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }  // [stop]
  /// Sets `ended` when the pool has stopped. False if it has stopped already. Once.
  bool notify_of_stop(latch& ended) noexcept;
  /// Sets the latch of notify_of_stop(). Called after settle() returned true.
  void stop_is_known() noexcept;

  /// An outside thread takes part from now on. False if the pool has stopped. Any thread.
  [[nodiscard]] bool enter_guest() noexcept;
  /// An outside thread puts jobs into a slot, and may enter it later. Any thread.
  void expect_guests() noexcept {
    if (!has_had_guests())
      had_guests_.store(true, std::memory_order_relaxed);  // ordered by the fences
  }
  /// Any thread.
  bool has_had_guests() const noexcept {
    return had_guests_.load(std::memory_order_relaxed);  // ordered by the fences
  }
  /// A hint: it may miss a guest that has just come. That guest runs the parts of its call itself,
  /// and its next push wakes a sleeper for the free seat. So a miss costs only sharing. Any thread.
  bool has_several_guests() const noexcept {
    return guests_.load(std::memory_order_relaxed) > 1;  // orders nothing: a hint
  }
  /// Ask has_waiters() after it. Any thread.
  void leave_guest() noexcept { guests_.fetch_sub(1, std::memory_order_release); }  // [leave]

 private:
  // Written rarely: participants look here in each search, and after each task.
  const roster& all_;
  const intake& accepts_;
  atomic<std::uint32_t> waiters_{0};  // in idle_waiters_, and begin_stop()
  std::atomic<bool> final_{false};    // no outside thread opens a task any more
  std::atomic<bool> stopped_{false};
  std::atomic<bool> had_guests_{false};
  // Written by each guest that comes or leaves.
  alignas(no_sharing_size) std::atomic<std::uint32_t> guests_{0};
  std::mutex mutex_;  // what follows; no guest enters while it is held
  std::vector<latch*> idle_waiters_;
  latch* stop_waiter_ = nullptr;
};

}  // namespace filch::detail
