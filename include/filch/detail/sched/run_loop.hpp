// What a participant's thread does: it runs jobs, waits, and sleeps.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/found_job.hpp"
#include "filch/detail/sched/idle_sleep.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/region_stack.hpp"

namespace filch::detail {

class awaited_task;
class worker;

/// Runs the jobs of one participant, until a latch is set or the pool stops. Owner only, unless
/// said otherwise.
class run_loop {
 public:
  using clock = wait_goal::clock;

  /// Throws `std::bad_alloc`.
  explicit run_loop(worker& self) : self_(self), sleep_(self) {}

  /// Runs other jobs until `done` is set, and sleeps while there are none; at most until
  /// `deadline`, which one job may overrun. In the call of a guest, a worker prefers jobs of that
  /// call. True if `done` was set. `what` is the task that sets it, if that is known.
  bool wait(latch& done, clock::time_point deadline = clock::time_point::max(),
            awaited_task* what = nullptr) noexcept;
  /// The life of a pool's own thread: runs jobs until the pool stops.
  void run_until_stopped() noexcept;
  /// If there is work and a seat for a sleeper, wakes it. Called after an idle spell: so a wake-up
  /// that this participant used up goes on to the next sleeper.
  void pass_on() noexcept;

  /// The calling thread is about to go on with the call of a guest. While no seat is free, and the
  /// other threads that run jobs are all busy with that call, this waits: else the call would run
  /// on more threads than there are seats. It waits at most until `deadline`, and never for a job
  /// of another caller. False if the time is over before.
  bool wait_for_seat(clock::time_point deadline = clock::time_point::max()) noexcept;

  /// How many waits the thread is in, one inside of the other. Any thread.
  std::size_t waits() const noexcept {
    return waits_.load(std::memory_order_relaxed);  // orders nothing: own value, or a hint
  }
  /// Counts a wait in which the thread helps, for as long as it lives. In blocking() the thread has
  /// a seat meanwhile.
  class counted_wait {
   public:
    explicit counted_wait(run_loop& l) noexcept;
    counted_wait(const counted_wait&) = delete;
    counted_wait& operator=(const counted_wait&) = delete;
    ~counted_wait();

   private:
    run_loop& loop_;
    std::size_t before_;
    std::size_t blocked_;
  };

  /// Do enough jobs nest on this stack because waits help?
  bool stack_is_full() const noexcept;
  /// One more of them, for as long as it lives.
  class deeper {
   public:
    explicit deeper(run_loop& l) noexcept : loop_(l) { ++loop_.help_depth_; }
    deeper(const deeper&) = delete;
    deeper& operator=(const deeper&) = delete;
    ~deeper() { --loop_.help_depth_; }

   private:
    run_loop& loop_;
  };

  /// Where it sleeps while it has nothing to do. Any thread.
  parker& idle_parker() noexcept { return sleep_.where(); }

 private:
  bool reached(const wait_goal& g) const noexcept;
  void help_once(latch& done) noexcept;
  void help_until_reached(const wait_goal& g) noexcept;
  /// What the thread did before it looks for its next job: it ran the job before, it slept, or it
  /// was in the body that now waits.
  enum class last_step : unsigned char { job, sleep, body };
  found_job next_job(const wait_goal& g, last_step last) noexcept;
  found_job look(region only) noexcept;
  bool lacks_seat() const noexcept;
  bool others_have_my_seat() const noexcept;
  bool others_use_all_seats() const noexcept;
  found_job sleep_or_find(const wait_goal& g, region restriction, region only) noexcept;
  bool wait_with_a_full_stack(const wait_goal& g, awaited_task* what) noexcept;
  found_job pop_pushed_since(std::uint64_t first) noexcept;

  worker& self_;
  idle_sleep sleep_;
  std::size_t help_depth_ = 0;    // jobs on this stack that were run while others waited
  atomic<std::size_t> waits_{0};  // on this stack, whether they help or not
  bool woken_ = false;            // a publisher ended its last sleep, and it has not looked since
};

}  // namespace filch::detail
