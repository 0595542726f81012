// Isolation regions: which jobs a waiting thread may run.
#pragma once

#include <cstdint>

namespace filch::detail {

/// A number: every isolate() has its own. A thread that waits in a region runs only jobs that were
/// spawned in it; a thread that waits in none runs any job.
using region = std::uint64_t;

inline constexpr region no_region = 0;

/// The tag of a job in a deque: its region; whether it was submitted, and so is no task of a scope;
/// and whether it was taken from the injector.
inline constexpr region submitted = region{1} << 63;
inline constexpr region from_outside = submitted | region{1} << 62;
constexpr region region_of(region tag) noexcept { return tag & ~from_outside; }

/// A region that no job has been in. Any thread.
region new_region() noexcept;

}  // namespace filch::detail
