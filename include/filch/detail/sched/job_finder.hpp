// Where a participant's next job comes from.
#pragma once

#include "filch/detail/sched/found_job.hpp"
#include "filch/detail/sched/region_stack.hpp"
#include "filch/detail/sched/thief.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class worker;

/// Looks for the next job of one participant: in its deque, its inbox, its branches, at other
/// participants, and in the pool's queues for outside work. Owner only.
class job_finder {
 public:
  explicit job_finder(worker& self) noexcept : self_(self), thief_(self) {}

  /// Urgent jobs first; then its own jobs, newest first; then those of others, oldest first; then
  /// the injectors, unless they have their turn before.
  found_job find() noexcept;
  /// The same, but only jobs of region `only` and of those around it, unless that is no_region.
  found_job find(region only) noexcept;
  /// Only what this participant has itself: jobs of its deque, its inbox and its branches. It runs
  /// these even without a seat.
  found_job find_own(region only) noexcept;
  /// The first half of find(): the newest job of the deque that may run here, or a job from outside
  /// if that is urgent or has its turn.
  [[gnu::cold, gnu::noinline]] found_job find_here_or_outside() noexcept;
  /// A job of the inbox, an urgent job, or, if it is their turn, a job from outside.
  found_job find_outside_first() noexcept;

  /// A job that another thread brought back, because the call that this thread is in is full.
  found_job find_in_full_call() noexcept;
  bool has_job_in_full_call() const noexcept;
  /// Pops the newest job of the deque, if that belongs to region `only`, or `only` is no_region.
  bool pop(queued& newest, region only) noexcept;
  found_job pop(region only) noexcept {
    queued newest;  // NOLINT(*-member-init): pop() fills it
    return pop(newest, only) ? found_job{newest.word, region_of(newest.tag)} : found_job{};
  }

  /// Is there a job that find() would take in region `only`? Looks at every source.
  bool has_work_anywhere(region only) noexcept;
  /// Is there a job that find_own() would take in region `only`?
  bool has_own_work(region only) noexcept;
  /// Does another participant have a job that this one could take in region `where`? Any
  /// thread; one that takes no part in the pool passes true.
  bool others_have_work(region where, bool outsider = false) const noexcept;

  const thief& theft() const noexcept { return thief_; }

 private:
  found_job find_own_of(region only) noexcept;
  bool has_own_work_of(region only) noexcept;
  found_job find_oldest_of_region(region only) noexcept;
  found_job find_in_own_branches(region only) noexcept;
  job* find_in_inbox() noexcept;
  job* find_urgent() noexcept;
  job* find_in_injector() noexcept;
  job* find_installed() noexcept;
  job* find_submitted() noexcept;
  job* take_one(priority level) noexcept;
  void notify_of_outside_work() noexcept;

  worker& self_;
  thief thief_;
};

}  // namespace filch::detail
