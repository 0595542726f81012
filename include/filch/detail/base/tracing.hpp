// Is a trace running? All traced code looks at this one word.
#pragma once

#include "filch/detail/base/config.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

#include "filch/detail/base/cache_line.hpp"

namespace filch::detail {

inline constexpr std::uint32_t not_tracing = 0;

/// The number of the trace that runs, or not_tracing. It changes only when a trace begins or ends,
/// hence it has a line to which nothing else is written. Always visible: a program and a shared
/// libfilch must share it.
[[gnu::visibility("default")]] FILCH_ONE_FOR_ALL constinit padded<std::atomic<std::uint32_t>>
    current_trace;  // not_tracing at first

/// Any thread. A hint: a thread that records because of it is checked again (recording.hpp in
/// detail/observe).
inline std::uint32_t tracing_now() noexcept {
  return current_trace->load(std::memory_order_relaxed);  // orders nothing: a hint
}

/// What spans look at. It is the number of the trace that runs. Without a trace it is
/// spans_alone, if open spans are observed for the dumps of FILCH_WATCHDOG, else not_tracing.
[[gnu::visibility("default")]] inline constinit padded<std::atomic<std::uint32_t>> observed_spans{
    not_tracing};
inline constexpr std::uint32_t spans_alone = UINT32_MAX;

/// Any thread. A hint, too.
inline std::uint32_t observing_spans() noexcept {
  return observed_spans->load(std::memory_order_relaxed);  // orders nothing: a hint
}

// The public inline functions call these if a trace runs; the first two also if spans are observed.
// They are in src/observe. `session` is the number that the caller saw. begin_span() returns the
// number of the span, or 0 if it is not recorded.
[[gnu::cold]] std::uint64_t begin_span(std::uint32_t session, std::string_view name) noexcept;
[[gnu::cold]] void end_span(std::uint32_t session, std::uint64_t which) noexcept;
[[gnu::cold]] void count_in_trace(std::uint32_t session, std::string_view name,
                                  double value) noexcept;

}  // namespace filch::detail
