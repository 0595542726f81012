// One participant of a pool: the owner of its parts.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <cstdint>

#include "filch/detail/base/rng.hpp"
#include "filch/detail/base/ticks.hpp"
#include "filch/detail/sched/absence.hpp"
#include "filch/detail/sched/branch_share.hpp"
#include "filch/detail/sched/found_job.hpp"
#include "filch/detail/sched/inbox.hpp"
#include "filch/detail/sched/job_finder.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/newest_first.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/observed_thread.hpp"
#include "filch/detail/sched/outside_turns.hpp"
#include "filch/detail/sched/participant.hpp"
#include "filch/detail/sched/presence.hpp"
#include "filch/detail/sched/run_loop.hpp"
#include "filch/detail/sched/worker_front.hpp"
#include "filch/detail/sched/worker_tallies.hpp"

namespace filch::detail {

/// A thread's slot in a pool. Each part has a class of its own, which says who may use it. Here is
/// what every job goes through, and what thieves see of a victim.
///
/// With worker_front, this class has about 32 functions and 20 members. They stand in one object
/// because a thread reaches all parts of its slot by one pointer, and a part reaches the others
/// through it.
class worker : public worker_front {
 public:
  worker(registry& home, std::size_t index, participant_kind kind, std::uint64_t seed);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  /// The calling thread's slot, or null if it has none.
  static worker* current() noexcept { return static_cast<worker*>(current_); }
  /// Makes `w` the calling thread's slot; null: it has none. Returns the slot that it had before.
  static worker* set_current(worker* w) noexcept {
    worker* const before = current();
    current_ = w;
    return before;
  }
  /// In the child of a fork: the calling thread has no slot any more. If it looks for a job as if
  /// it still had one, it finds `in_the_way`.
  static void leave_by_fork(listed_job& in_the_way) noexcept {
    if (worker* const before = set_current(nullptr)) {
      before->inbox.replace_by(in_the_way);
      before->turns.always();
    }
  }

  participant_kind kind() const noexcept { return kind_; }
  bool is_guest() const noexcept { return kind_ == participant_kind::guest; }
  /// The region whose jobs are all that this participant may run now; no_region: it may run any
  /// job. Owner only.
  region restriction() const noexcept {
    const region here = regions.current();
    return is_guest() || is_isolated(here) ? here : no_region;
  }

  /// May the next job be another one than the newest of the deque? Owner only.
  bool distracted() const noexcept {
    return turns.may_come_first(tallies.jobs.read(), inbox.arrived_hint());
  }
  /// What a search looks at first: the newest job of the deque that may run here, or a job from
  /// outside if that is urgent or has its turn. Owner only.
  found_job find_here() noexcept {
    if (distracted()) return finder.find_here_or_outside();
    queued newest;  // NOLINT(*-member-init): pop() fills it, and this is where every job goes by
    return deque.pop(newest) ? found_job{newest.word, region_of(newest.tag)} : found_job{};
  }

  /// Runs a job taken from a queue, in its region. Owner only.
  void run(found_job j) noexcept {
    ticks unknown = 0;
    run_next(j, unknown);
  }
  /// The same, in a loop that finds and runs jobs and does nothing else. `before` is a variable of
  /// that loop, 0 at first. While a trace runs, it is the time at which the job before ended.
  void run_next(found_job j, ticks& before) noexcept {
    tallies.jobs.add();
    if (tracing_now() != not_tracing) [[unlikely]]
      before = run_traced(j, before);
    else
      run_where_it_belongs(j);
  }
  [[gnu::cold, gnu::noinline]] ticks run_traced(found_job j, ticks before) noexcept;
  /// Runs a job of another region, in that region. If the caller may run any job, jobs that this
  /// job leaves in the deque stay in its region, where other threads may be waiting for them. If
  /// not, they become jobs of the caller's region, as in region_stack::end(). Owner only.
  [[gnu::cold, gnu::noinline]] void run_in_region(found_job j) noexcept;

  /// A guest is about to leave. Its jobs go into the injector, so that they need not wait for the
  /// next guest. It runs the jobs of a region itself: threads that wait in the region could not
  /// take them from the injector. Owner only.
  void clear_before_leaving() noexcept;

  /// A guess at the number of jobs of this participant that could be taken. Any thread; a thread
  /// that takes no part in the pool passes true.
  std::size_t size_hint(bool outsider = false) const noexcept {
    return deque.size_hint() + branches.size_hint(outsider);
  }
  /// May a thief take a job here? If fewer than `steal_threshold` are left, the owner keeps them,
  /// unless it is absent. As size_hint().
  bool may_be_stolen_from(bool outsider = false) const noexcept;
  /// Has this participant a job that a thief in region `r` could take? As size_hint().
  bool has_work_for_thief(region r, bool outsider = false) noexcept;
  /// Is there a job that only this worker may run, and that it may run in its present region?
  /// Owner, or under the lock of spare_threads while the owner is a standby.
  bool has_job_in_inbox() const noexcept { return restriction() == no_region && !inbox.empty(); }

  branch_share branches;
  worker_tallies tallies;
  rng random;
  outside_turns turns;
  job_finder finder{*this};
  run_loop loop{*this};
  newest_first own_tasks{*this};
  absence away{*this};
  presence state;
  observed_thread thread;
  detail::inbox inbox;

 private:
  void run_in_call(found_job j) noexcept;
  [[gnu::cold, gnu::noinline]] void run_in_limit(found_job j) noexcept;
  static constexpr std::size_t most_places = 8;  // of limited calls, one inside of the other
  struct places {
    std::size_t count = 0;
    region where[most_places];
  };
  bool enter_limits_around(region r, places& held) noexcept;
  void run_where_it_belongs(found_job j) noexcept {
    if (j.where == regions.current()) [[likely]]
      j.what->run();
    else
      run_in_region(j);
  }

  participant_kind kind_;
};

/// Does `is` hold for the oldest job of `deque`? Any participant.
template <class Is>
bool oldest_is(job_deque& deque, Is is) noexcept {
  bool holds = false;
  queued oldest{};
  (void)deque.steal_if(oldest, [&](const queued& q) {
    holds = is(q);
    return false;
  });
  return holds;
}

}  // namespace filch::detail
