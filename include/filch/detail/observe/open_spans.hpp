// The spans that threads are in, for dump() and the watchdog.
//
// A thread has a list of its own, with a lock that only a dump takes besides. Spans are listed
// while a trace runs and while the watchdog does; otherwise a span looks at one word, and no more.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstdint>
#include <string_view>

namespace filch::detail {

/// Trace `session` observes spans from now on; not_tracing: no trace does. Any thread.
void trace_observes_spans(std::uint32_t session) noexcept;
/// The same for the watchdog. Any thread.
void watchdog_observes_spans(bool on) noexcept;

/// The calling thread enters span `which` of `session`, which is called `name`. If `which` is 0,
/// this chooses a number. Returns the number. If there is no memory, the span is not listed.
std::uint64_t open_span(std::uint32_t session, std::uint64_t which, std::string_view name) noexcept;
/// It leaves that span. Does nothing if another thread has entered it.
void close_span(std::uint32_t session, std::uint64_t which) noexcept;

/// In the child of a fork: no span is observed, and no thread is in one.
void forget_open_spans() noexcept;

}  // namespace filch::detail
