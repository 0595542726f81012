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
  /// the injectors, unless they have their turn before. In a region, only jobs of that region.
  found_job find() noexcept;
  /// The first half of find(): the newest job of the deque that may run here, or a job from outside
  /// if that is urgent or has its turn.
  [[gnu::cold, gnu::noinline]] found_job find_here_or_outside() noexcept;
  /// A job of the inbox, an urgent job, or, if it is their turn, a job from outside.
  found_job find_outside_first() noexcept;

  /// Pops the newest job of the deque, if it may run in the present region.
  bool pop(queued& newest) noexcept;
  found_job pop() noexcept {
    queued newest;  // NOLINT(*-member-init): pop() fills it
    return pop(newest) ? found_job{newest.word, region_of(newest.tag)} : found_job{};
  }

  /// Is there a job that this participant could take in its present region? Looks at every source.
  bool has_work_anywhere() noexcept;
  /// Does another participant have a job that this one could take in region `where`? Any thread.
  bool others_have_work(region where) const noexcept;

  const thief& theft() const noexcept { return thief_; }

 private:
  bool has_own_work() noexcept;
  found_job find_oldest_of_region() noexcept;
  found_job find_in_own_branches() noexcept;
  job* find_in_inbox() noexcept;
  job* find_urgent() noexcept;
  job* find_in_injector() noexcept;
  job* find_installed() noexcept;
  job* find_submitted() noexcept;
  job* take_one(priority level) noexcept;
  void tell_of_outside_work(bool for_workers) noexcept;

  worker& self_;
  thief thief_;
};

}  // namespace filch::detail
