// Is a trace running? The one word that everything traced looks at.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "filch/detail/base/cache_line.hpp"

namespace filch::detail {

inline constexpr std::uint32_t not_tracing = 0;

/// The number of the trace that runs, or not_tracing. It changes only when a trace begins or ends,
/// hence on a line that nobody writes. Always visible: a program and a shared libfilch must share
/// it.
[[gnu::visibility("default")]] inline constinit padded<std::atomic<std::uint32_t>> current_trace{
    not_tracing};

/// Any thread. Only a look: whoever records by it is checked again (recording.hpp in detail/watch).
inline std::uint32_t tracing_now() noexcept {
  return current_trace->load(std::memory_order_relaxed);  // orders nothing: a hint
}

// What the public inline functions call if there is one; in src/watch. `session` is what they saw.
// begin_span() returns which of all spans it is, or 0 if it is not recorded.
[[gnu::cold]] std::uint64_t begin_span(std::uint32_t session, std::string_view name) noexcept;
[[gnu::cold]] void end_span(std::uint32_t session, std::uint64_t which) noexcept;
[[gnu::cold]] void count_in_trace(std::uint32_t session, std::string_view name,
                                  double value) noexcept;

}  // namespace filch::detail
