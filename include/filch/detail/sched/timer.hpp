// Something that begins in a pool at a given time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "filch/detail/base/process.hpp"

namespace filch::detail {

class registry;

/// A time, and its index in the heap.
struct timer_entry {
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  std::chrono::steady_clock::time_point due = {};
  std::size_t heap_index = nowhere;
};

/// A task of a pool that begins at a given time, once or again and again. One thread of the process
/// waits for the times of all timers. It lives while there are timers, and calls no
/// function that was submitted: it only submits. src/sched/timers.md says more.
class timer : private timer_entry {
 public:
  using clock = std::chrono::steady_clock;

  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;

  /// Was it made before a fork? Then only the parent has it.
  bool is_inherited() const noexcept { return !born_.is_here(); }

 protected:
  enum class times : bool { once, many };
  timer(std::shared_ptr<registry> home, times how_often) noexcept
      : home_(std::move(home)), how_often_(how_often) {}
  ~timer();  // in the library: see let_go() in current_pool.hpp

  registry& home() const noexcept { return *home_; }
  const std::shared_ptr<registry>& shared_home() const noexcept { return home_; }

  /// Waits until `when`, and then calls begins(). Throws `pool_closed` if the pool is closed,
  /// `usage_error` if it is inherited; `std::bad_alloc`, `std::system_error`. Then it does not
  /// wait. Any thread, once.
  void wait_until(clock::time_point when);
  /// The same, for a timer that has begun and is to do so again. False if it does not, because it
  /// was cancelled or its pool is closed. If true, it may be gone afterwards. Any thread.
  [[nodiscard]] bool wait_again_until(clock::time_point when) noexcept;
  /// True if it waited: then it does not begin any more. If it has begun, it does not begin again.
  /// Any thread.
  bool cancel() noexcept;
  bool is_cancelled() const noexcept;

 private:
  /// The time has come: submits its task. False if the pool takes no tasks any more: then
  /// abandoned() will follow. Called under the lock of all timers. If true, it may be gone
  /// afterwards.
  virtual bool begins() noexcept = 0;
  /// Its pool was closed before the time came. Called under no lock. It may be gone afterwards.
  virtual void abandoned() noexcept = 0;

  // timer_queue keeps the heap of timers, calls begins() and abandoned(), and writes what the lock
  // of all timers protects. No other class may do that, subclasses included.
  friend class timer_queue;

  std::shared_ptr<registry> home_;
  timer* next_ = nullptr;   // in a list of those that are abandoned
  bool cancelled_ = false;  // under the lock of all timers
  times how_often_;
  birthplace born_;
};

/// The pool is closed: its timers do not begin any more. Any thread, under no lock.
void abandon_timers(const registry& home) noexcept;

}  // namespace filch::detail
