// The region that a thread is in.
#pragma once

#include <cstddef>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/ring.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// A job in a deque, and the region that it belongs to.
using queued = tagged<job*, region>;
using job_deque = chase_lev<queued>;

/// Accepts the jobs of a deque that a thread may run that may run only jobs of region `r`.
constexpr auto of_region(region r) noexcept {
  return [r](const queued& q) { return admits(r, region_of(q.tag)); };
}

/// The regions that a participant's thread is in, one inside of the other. The innermost one is
/// here. Each outer one is in the frame of the call that entered the next. Owner only.
///
/// Edge
///   [region]  enter() -> current_of_other()   the reader may look at the call_limit of the region
class region_stack {
 public:
  explicit region_stack(job_deque& deque) noexcept : deque_(deque) {}

  /// A hint for any thread but the owner.
  region current() const noexcept {
    return current_.load(std::memory_order_relaxed);  // own value; orders nothing: a hint
  }
  /// The same, for any thread that looks at the call_limit of the region.
  region current_of_other() const noexcept {
    return current_.load(std::memory_order_acquire);  // [region]
  }
  /// From now on the calling thread is in region `r`. Returns the region that it was in, for
  /// leave() or end().
  region enter(region r) noexcept;
  /// Goes back to `outer` from a job of a region that goes on elsewhere. Jobs that it left in the
  /// deque stay in the region: threads that wait in the region may need to run them.
  void leave(region outer) noexcept;
  /// Goes back to `outer`, and the region ends. Jobs of it that are left in the deque become jobs
  /// of `outer`: else no thread that could run them might be left in the region.
  void end(region outer) noexcept;

  /// A branch was pushed in a region, and the stack says so. A slot gets its region before the push
  /// that makes it visible, so that no thief can read a wrong one: this gives it to the next slots.
  void tag_next_branches() noexcept;

 private:
  void tag_branches(std::ptrdiff_t count) noexcept;

  atomic<region> current_{no_region};
  branch_slot* tagged_end_ = nullptr;  // free slots below it have the current region, others none
  job_deque& deque_;
};

}  // namespace filch::detail
