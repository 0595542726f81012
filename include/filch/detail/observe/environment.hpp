// The environment variables FILCH_TRACE, FILCH_TRACE_EVENTS, FILCH_TRACE_ON_SIGNAL, FILCH_LIVE and
// FILCH_WATCHDOG.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace filch::detail {

class registry;

inline constexpr std::size_t fewest_trace_events = 16;
inline constexpr std::size_t most_trace_events = std::size_t{1} << 28;
inline constexpr std::size_t usual_trace_events = std::size_t{1} << 18;

/// Replaces %p in `pattern` by `process`, and %% by a percent sign. Throws a `usage_error` that
/// names the pattern if a percent sign is followed by anything else.
std::string expand_trace_path(std::string_view pattern, std::uint64_t process);

/// How many events a thread keeps if the caller asked for `asked`; 0 means the value of
/// FILCH_TRACE_EVENTS. Throws a `usage_error` that names the value.
std::size_t trace_events(std::size_t asked);

/// Starts what the environment asks for, the first time it is called in a process. Prints a message
/// to stderr if a variable is wrong.
void heed_environment() noexcept;

/// In the child of a fork: lets the next pool read the environment again.
void forget_environment() noexcept;

// ---- FILCH_LIVE, in src/observe/live.cpp
// ----------------------------------------------------------

/// Starts publishing the counters of all pools. Throws `std::system_error`, `std::bad_alloc`.
void start_live();
/// Stops publishing. Does nothing if it was not started.
void stop_live() noexcept;
/// There may be a new pool.
void tell_live() noexcept;
/// A pool has ended, and its counters are final.
void live_pool_ends(const registry& home) noexcept;
void forget_live() noexcept;

}  // namespace filch::detail
