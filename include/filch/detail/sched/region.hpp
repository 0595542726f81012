// Isolation regions: which jobs a waiting thread may run.
#pragma once

#include <cstdint>

namespace filch::detail {

/// A number of its own for every isolate(). A thread that waits in a region runs only jobs that
/// were spawned in it; one that waits in none runs anything.
using region = std::uint64_t;

inline constexpr region no_region = 0;

/// How a job is marked in a deque: with its region, and whether it was submitted, so that it is
/// none of a scope's; and whether it was taken from the injector.
inline constexpr region submitted = region{1} << 63;
inline constexpr region from_outside = submitted | region{1} << 62;
constexpr region region_of(region mark) noexcept { return mark & ~from_outside; }

/// One that nobody has had. Any thread.
region new_region() noexcept;

}  // namespace filch::detail
