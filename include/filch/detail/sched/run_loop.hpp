// What a participant's thread does: it runs jobs, waits, and sleeps.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/borrowed_parker.hpp"
#include "filch/detail/sched/found_job.hpp"
#include "filch/detail/sched/idle_sleep.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/participant.hpp"
#include "filch/detail/sched/region_stack.hpp"

namespace filch::detail {

class awaited_task;
class worker;

/// Runs the jobs of one participant, until a latch is set, a scope's own jobs are done, or the pool
/// stops. Owner only, unless said otherwise.
class run_loop {
 public:
  using clock = wait_goal::clock;

  /// Throws `std::bad_alloc`.
  explicit run_loop(worker& self) : self_(self), sleep_(self) {}

  /// A join waits until `done` is set. Meanwhile this runs other jobs, and sleeps while there are
  /// none. In the call of a guest, a worker prefers jobs of that call.
  void wait_in_join(latch& done) noexcept;
  /// Runs other jobs until `done` is set, at most until `deadline`, which one job may overrun. True
  /// if `done` was set. `what` is the task that sets it, if that is known.
  bool wait_until(latch& done, clock::time_point deadline, awaited_task* what = nullptr) noexcept;
  /// The life of a pool's own thread: runs jobs until the pool stops.
  void run_until_stopped() noexcept;
  /// While `left` is positive, runs the jobs that were pushed from index `first` on and are still
  /// in the deque, newest first. Urgent jobs and jobs from outside have their turn in between.
  void run_newest(std::uint64_t first, const std::int64_t& left) noexcept;

  /// The calling thread is about to wait without helping, or in a region. One spare stands in for a
  /// worker, however many absences lie inside of each other; no spare stands in for a guest.
  /// Meanwhile thieves take the last of its jobs too, with any threshold, since the owner may not
  /// run it. False, and nothing begins, if there is no spare and the caller prefers to go on.
  bool begin_absence(without_spare choice) noexcept;
  void end_absence() noexcept;
  /// From now on the calling thread is blocked, and has no seat; or it goes on.
  void set_blocked(bool blocked) noexcept;
  /// If there is work and a seat for a sleeper, wakes it. Called after an idle spell: so a wake-up
  /// that this participant used up goes on to the next sleeper.
  void pass_on() noexcept;

  /// The calling thread is about to go on with the call of a guest. While no seat is free, and the
  /// other threads that run jobs are all busy with that call, this waits: else the call would run
  /// on more threads than there are seats. Work of other callers makes it late in no case.
  void wait_for_seat() noexcept;

  /// How many waits the thread is in, one inside of the other. Any thread.
  std::size_t waits() const noexcept {
    return waits_.load(std::memory_order_relaxed);  // orders nothing: own value, or a hint
  }
  /// Counts a wait for as long as it lives.
  class counted_wait {
   public:
    explicit counted_wait(run_loop& l) noexcept : loop_(l), before_(l.waits()) {
      loop_.waits_.store(before_ + 1, std::memory_order_relaxed);  // orders nothing
    }
    counted_wait(const counted_wait&) = delete;
    counted_wait& operator=(const counted_wait&) = delete;
    ~counted_wait() { loop_.waits_.store(before_, std::memory_order_relaxed); }  // orders nothing

   private:
    run_loop& loop_;
    std::size_t before_;
  };

  /// Where it sleeps while it has nothing to do. Any thread.
  parker& idle_parker() noexcept { return sleep_.where(); }
  /// Where it sleeps with a full stack: no pool wakes it there. Any thread.
  parker& standby_parker() noexcept { return *standby_parker_; }

 private:
  bool reached(const wait_goal& g) const noexcept;
  void help_until_reached(const wait_goal& g) noexcept;
  found_job next_job(const wait_goal& g, bool slept = false) noexcept;
  found_job look(region only) noexcept;
  bool lacks_seat() const noexcept;
  bool others_use_all_seats() const noexcept;
  found_job sleep_or_find(const wait_goal& g, region restriction, region only) noexcept;
  bool stack_is_full() const noexcept;
  bool wait_with_a_full_stack(const wait_goal& g, awaited_task* what) noexcept;
  found_job pop_pushed_since(std::uint64_t first) noexcept;
  bool stand_by(const wait_goal& g) noexcept;
  bool nap(latch& done, without_spare choice) noexcept;
  void go_away() noexcept;
  [[gnu::cold, gnu::noinline]] bool run_newest_or_other(std::uint64_t first) noexcept;
  [[gnu::cold, gnu::noinline]] bool run_tagged(queued newest) noexcept;
  bool run_as_help(queued newest) noexcept;
  [[gnu::cold, gnu::noinline]] bool help_outside() noexcept;

  worker& self_;
  idle_sleep sleep_;
  borrowed_parker standby_parker_;
  std::size_t help_depth_ = 0;    // jobs on this stack that were run while others waited
  atomic<std::size_t> waits_{0};  // on this stack, whether they help or not
  std::size_t blocked_ = 0;       // set_blocked(true) that have not ended, one inside of the other
};

}  // namespace filch::detail
