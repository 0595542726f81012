// How a participant stops running jobs for a while.
#pragma once

#include <chrono>
#include <cstddef>

#include "filch/detail/sched/borrowed_parker.hpp"
#include "filch/detail/sched/idle_sleep.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/participant.hpp"

namespace filch::detail {

class worker;

/// The times in which one participant runs no jobs, though it is not idle: it is blocked, it waits
/// in a region, or its stack is full. Owner only, unless said otherwise.
class absence {
 public:
  /// Throws `std::bad_alloc`.
  explicit absence(worker& self) : self_(self) {}

  /// The calling thread is about to wait without helping, or in a region. One spare stands in for a
  /// worker, however many absences lie inside of each other. A guest is not one of the pool's own
  /// threads, and gets no spare here. Meanwhile thieves take the last of its jobs too, with any
  /// threshold, since the owner may not run it. False, and nothing begins, if there is no spare and
  /// the caller prefers to go on.
  bool begin(without_spare choice) noexcept;
  void end() noexcept;

  /// From now on the calling thread is blocked, and has no seat; or it goes on.
  void set_blocked(bool blocked) noexcept;
  /// A thread that is blocked begins a wait in which it runs jobs: it has a seat until resume().
  /// Returns what resume() needs.
  std::size_t interrupt() noexcept;
  void resume(std::size_t blocked) noexcept;

  /// Sleeps for a moment, or until `done` is set, while a spare stands in. False if there is none,
  /// and the caller prefers to go on.
  bool nap(latch& done, without_spare choice) noexcept;
  /// Sleeps as a standby, with a full stack. True after a sleep, which may have ended for no
  /// reason. False if this participant is needed.
  bool stand_by(const wait_goal& g) noexcept;
  /// Where it sleeps with a full stack: no pool wakes it there. Any thread.
  parker& standby_parker() noexcept { return *standby_parker_; }

 private:
  void go_away() noexcept;
  void leave_seat() noexcept;
  void take_seat() noexcept;

  worker& self_;
  borrowed_parker standby_parker_;
  std::size_t blocked_ = 0;  // set_blocked(true) that have not ended, one inside of the other
};

}  // namespace filch::detail
