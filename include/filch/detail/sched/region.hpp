// Regions: which jobs a waiting thread may run.
#pragma once

#include <cstdint>

namespace filch::detail {

/// A number, for each isolate() and for each call of an outside thread. The jobs that such a call
/// spawns, directly or not, belong to it.
///
/// Any thread that waits in the region of an isolate() runs only jobs of it. A guest that waits in
/// the region of its call does, too; a worker that waits there prefers them (src/sched/guests.md).
using region = std::uint64_t;

inline constexpr region no_region = 0;

/// The tag of a job in a deque: its region; whether it was submitted, and so is no task of a scope;
/// and whether it was taken from the injector.
inline constexpr region submitted = region{1} << 63;
inline constexpr region from_outside = submitted | region{1} << 62;
constexpr region region_of(region tag) noexcept { return tag & ~from_outside; }

inline constexpr region call_bit = region{1} << 61;
/// Is `r` the region of a guest's call?
constexpr bool is_call(region r) noexcept { return (r & call_bit) != 0; }
/// In the region of a join or loop, whose guest takes part until its parts have ended. The maker of
/// a scope may be elsewhere while its tasks run.
inline constexpr region present_bit = region{1} << 59;
/// Is a job with this tag a part of such a join or loop? A task that was submitted in it is not.
constexpr bool ends_before_guest_leaves(region tag) noexcept {
  return (tag & (present_bit | submitted)) == present_bit;
}
/// Is `r` the region of an isolate()?
constexpr bool is_isolated(region r) noexcept { return r != no_region && !is_call(r); }

/// In the region of a call with options::max_workers (src/sched/guests.md).
inline constexpr region limited_bit = region{1} << 60;
/// With the bits of a limited region that is isolated: for tasks that were submitted there. They
/// belong to the isolate(), but not to the call, and have no limit.
inline constexpr region beside_bit = region{1} << 58;
constexpr bool is_limited(region r) noexcept {
  return (r & (limited_bit | beside_bit)) == limited_bit;
}

/// May a thread that may run only jobs of region `r` run a job of region `job`?
constexpr bool admits(region r, region job) noexcept { return job == r || job == (r | beside_bit); }
/// The region of a task that is submitted in region `here`. It may outlive a call, and is no part
/// of it; but what is submitted in an isolate() belongs to that.
constexpr region region_of_submitted(region here) noexcept {
  if (is_call(here)) return no_region;
  return is_limited(here) ? here | beside_bit : here;
}

/// A region that no job has been in. In a call with a limit of threads it belongs to that call. Any
/// thread.
region new_region() noexcept;
/// The same for jobs of another pool than the calling thread's, which are no part of its call.
region new_unlimited_region() noexcept;
inline region new_call() noexcept { return new_region() | call_bit | present_bit; }

}  // namespace filch::detail
