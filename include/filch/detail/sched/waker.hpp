// Which sleeper is woken when there is work.
#pragma once

#include <cstddef>

#include "filch/detail/sched/region.hpp"
#include "filch/detail/sched/sleepers.hpp"

namespace filch::detail {

class roster;
class worker;

/// Wakes sleeping participants of a pool. Steps P3 and P4 of the protocol in
/// src/sched/sleep_and_wake.md.
class waker {
 public:
  waker(const roster& all, std::size_t seats) noexcept : all_(all), sleeping_(seats) {}
  waker(const waker&) = delete;
  waker& operator=(const waker&) = delete;

  sleepers& sleeping() noexcept { return sleeping_; }
  const sleepers& sleeping() const noexcept { return sleeping_; }

  /// Wakes one sleeper that may take a job of region `where`. False if there is none. `by` is the
  /// calling thread's slot, or null. Any thread.
  bool wake_one(worker* by, region where) noexcept;
  /// The same, if there is a seat; else leaves a note for the thread that makes one free. Any
  /// thread.
  bool wake_one_if_seat(worker* by, region where) noexcept {
    return sleeping_.may_wake_for_others() && wake_one(by, where);
  }
  /// Wakes one sleeper that finds a job at another participant in its region, if there is any.
  /// `by` is the calling thread's slot, or null. Without a seat it leaves a note.
  void wake_one_that_can_steal(worker* by) noexcept;
  /// Wakes `sleeper`. False if it does not sleep. Any thread.
  bool wake(worker& sleeper, worker* by) noexcept;
  /// Any thread.
  void wake_all() noexcept;
  /// Wakes every sleeper that waits in region `where`. Any thread.
  void wake_all_in(region where) noexcept;

 private:
  const roster& all_;
  sleepers sleeping_;
};

}  // namespace filch::detail
