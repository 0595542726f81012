// What isolate() and blocking() do around a call.
#pragma once

#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class worker;

/// The region of a call that the calling thread makes as a guest: that of the in_region around it,
/// or else a new one.
region region_of_call() noexcept;
/// The region that the calling thread is in.
region region_here() noexcept;
/// In the child of a fork: the region of a thread without a slot was the parent's.
void leave_region_by_fork() noexcept;

/// The calling thread is in an isolation region for as long as this lives. On a thread without a
/// slot in a pool, this is the region of the calls that it makes as a guest.
class in_region {
 public:
  explicit in_region(region r) noexcept;
  in_region(const in_region&) = delete;
  in_region& operator=(const in_region&) = delete;
  ~in_region();

 private:
  worker* slot_;
  region outer_ = no_region;
};

/// The calling worker is blocked for as long as this lives, and a spare stands in for it. For
/// several of these, one inside of the other, there is still one spare. A guest gets no
/// spare for this: it gives its seat back, so that a worker may run. It does nothing on a thread
/// without a slot in a pool.
///
/// In a child of fork() the destructors of both classes do nothing.
class while_blocked {
 public:
  while_blocked() noexcept;
  while_blocked(const while_blocked&) = delete;
  while_blocked& operator=(const while_blocked&) = delete;
  ~while_blocked();

 private:
  worker* slot_;
};

}  // namespace filch::detail
