// What the environment asks for: FILCH_TRACE, FILCH_TRACE_EVENTS, FILCH_TRACE_ON_SIGNAL,
// FILCH_LIVE.
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

/// `pattern` with %p as `process` and %% as a percent sign. Throws `usage_error`, which names the
/// pattern, if a percent sign is followed by anything else.
std::string expand_trace_path(std::string_view pattern, std::uint64_t process);

/// How many events a thread keeps if `asked` were asked for; 0 means what FILCH_TRACE_EVENTS says.
/// Throws `usage_error`, which names the value.
std::size_t trace_events(std::size_t asked);

/// Does what the environment asks for, the first time it is called in a process. What is wrong
/// there is a message on stderr.
void heed_environment() noexcept;

/// In the child of a fork: the next pool asks again.
void forget_environment() noexcept;

// ---- FILCH_LIVE, in src/watch/live.cpp ----------------------------------------------------------

/// Publishes the counters of all pools, from now on. Throws `std::system_error`, `std::bad_alloc`.
void start_live();
/// Ends that. Nothing if it was not started.
void stop_live() noexcept;
/// There may be another pool.
void tell_live() noexcept;
/// One is gone, whose figures are final.
void live_pool_ends(const registry& home) noexcept;
void forget_live() noexcept;

}  // namespace filch::detail
