// The isolation region that a thread is in.
#pragma once

#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/ring.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class outside_turns;

/// A job in a deque, and the region that it belongs to.
using queued = tagged<job*, region>;
using job_deque = chase_lev<queued>;

/// Accepts the jobs of a deque that belong to region `r`.
constexpr auto of_region(region r) noexcept {
  return [r](const queued& q) { return region_of(q.tag) == r; };
}

/// The regions that a participant's thread is in, one inside of the other. The innermost one is
/// here. Each outer one is in the frame of the call that entered the next. Owner only.
class region_stack {
 public:
  region_stack(job_deque& deque, outside_turns& turns) noexcept : deque_(deque), turns_(turns) {}

  region current() const noexcept { return current_; }
  /// From now on the calling thread is in region `r`. Returns the region that it was in, for
  /// leave() or end().
  region enter(region r) noexcept;
  /// Goes back to `outer` from a job of a region that goes on elsewhere. Jobs that it left in the
  /// deque stay in the region: threads that wait in the region may need to run them.
  void leave(region outer) noexcept;
  /// Goes back to `outer`, and the region ends. Jobs of it that are left in the deque become jobs
  /// of `outer`: else no thread that could run them might be left in the region.
  void end(region outer) noexcept;

  /// A slot gets its region before the push that makes it visible, so that no thief can read a
  /// wrong one: the next slot to be pushed has it already.
  void tag_next_branch() noexcept;

 private:
  region current_ = no_region;
  branch_slot* tagged_end_ = nullptr;  // slots from here on have no region; null: none has
  job_deque& deque_;
  outside_turns& turns_;
};

}  // namespace filch::detail
