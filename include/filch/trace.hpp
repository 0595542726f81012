// Traces: a record of what every worker did at which time, for a viewer.
//
// Environment variables turn tracing on without a change to the program:
//
//   FILCH_TRACE=file          Traces from the first pool on, and writes the file at exit. In the
//                             name of the file, %p is the process id and %% a percent sign.
//   FILCH_TRACE_EVENTS=n      The number of events that are kept for each thread
//                             (trace_options::events).
//   FILCH_TRACE_ON_SIGNAL=1   Writes the file also when SIGINT, SIGTERM or SIGHUP ends the program.
//                             A signal that the program ignores or handles itself is left to it.
//   FILCH_LIVE=1              Publishes the counters of the pools for `filch top` while the program
//                             runs, in memory that only its user and root can read.
//   FILCH_WATCHDOG=10s        Prints a dump of a pool to stderr, once, when work that the pool has
//                             accepted makes no progress for that time, and again only after
//                             progress. Progress is a job that begins or ends, and processor time
//                             that a thread of the pool uses. 500ms and 2m are times, too.
//
// If a setting cannot be met, a message on stderr names it, and the program runs without it. A
// program with more rights than the user who starts it (set-user-ID, set-group-ID, file
// capabilities) ignores all of these settings.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "filch/detail/base/tracing.hpp"

namespace filch {

/// The settings of a trace. The members are in the order of designated initialisers.
struct trace_options {
  /// The number of events that are kept for each thread, from 16 to 2^28. A job or a steal takes
  /// one event, a span with a short name two; an event takes 24 bytes of memory. When there are
  /// more, the oldest are overwritten, and the file says how many. 0 means choose:
  /// FILCH_TRACE_EVENTS if set, else 262144.
  std::size_t events = 0;
  /// How often the sampler reads the length of the queues and the number of running workers. 0
  /// means never. A sample takes some tens of microseconds of a core. If all cores are busy, a
  /// worker loses that time.
  std::chrono::nanoseconds sampling = std::chrono::milliseconds(5);
};

/// Records what all pools of the program do for as long as the object lives, and then writes a
/// file. Perfetto, chrome://tracing and `filch report` open that file (Chrome trace JSON;
/// docs/spec/observing.md has the format).
///
/// What     Jobs taken from a queue and stolen branches, from start to end; steals with their
///          victims; injections, sleeps, wake-ups; spans and counters of the program; samples of
///          the length of the queues and the number of active workers. A branch that the caller of
///          a join runs itself is not recorded.
/// How      Each thread writes into a ring of its own, without a lock. Its memory is allocated at
///          the first event of the thread. If there is no memory, the events of that thread are
///          lost and counted. The file is written when the trace ends, while the program goes on.
/// Errors   If anything goes wrong with the file after the constructor, or there is no memory to
///          write it, a message appears on stderr and finish() returns the error. It never ends the
///          program.
/// Fork     A child is not traced, and does not touch the file of its parent.
/// Threads  One thread at a time may use an object. Only one trace at a time can run.
/// Cost     Without a trace: nothing for a join; a load and a branch for every other job. With a
///          trace: some tens of nanoseconds for a job (docs/investigations/0007-observing.md).
///
///     {
///       filch::trace trace("work.json");
///       work();
///     }  // writes work.json
class trace {
 public:
  /// Creates the file, or empties it, and starts the trace.
  /// Throws  `usage_error` if another trace is running (FILCH_TRACE may have started it), if an
  ///         option is out of its range, if the path has a zero byte, or if FILCH_TRACE_EVENTS is
  ///         used and is not a number in that range; `std::system_error`, which names the path, if
  ///         the file cannot be created or is a FIFO without a reader; `std::bad_alloc`.
  [[nodiscard("filch: give the trace a name, or it ends at once")]] explicit trace(
      std::string path, trace_options settings = {});
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;
  /// Calls finish(), unless that was called.
  ~trace();

  /// Ends the trace and writes the file. Returns what went wrong, which is also on stderr; then the
  /// file is incomplete. A second call does nothing and returns the same.
  std::error_code finish() noexcept;

  /// Returns true if a trace is running, also one that FILCH_TRACE or another object started. Any
  /// thread; one load.
  [[nodiscard]] static bool is_on() noexcept {
    return detail::tracing_now() != detail::not_tracing;
  }

 private:
  std::string path_;
  int file_ = -1;  // -1 once it has ended
  std::uint32_t session_ = 0;
  std::error_code error_;
};

/// A named period in the trace, from the constructor to the destructor, on the thread that runs
/// both. Any thread may have spans, in a pool or not. A span is easy to read if a worker does not
/// wait for another task in it: what the worker runs meanwhile lies inside the span.
///
/// Spans of a thread should nest. If they do not, each still has its own end, but not every viewer
/// can draw that. A span that is destroyed on another thread ends with the job, or else the span,
/// that encloses it.
///
/// The name is copied, so it need not outlive the call. Of a longer name the first 100 bytes are
/// kept.
///
/// While a trace runs, and with FILCH_WATCHDOG, pool::dump() and the watchdog print the name of the
/// innermost span of a worker that waits.
/// Cost     Without a trace or watchdog, a load and a branch. Never throws.
///
///     filch::trace_span span("parse");
class trace_span {
 public:
  [[nodiscard("filch: give the span a name, or it ends at once")]] explicit trace_span(
      const char* name) noexcept
      : session_(detail::observing_spans()) {
    if (session_ != detail::not_tracing) [[unlikely]]
      which_ = detail::begin_span(session_, name != nullptr ? std::string_view(name) : "(null)");
  }
  [[nodiscard("filch: give the span a name, or it ends at once")]] explicit trace_span(
      std::string_view name) noexcept
      : session_(detail::observing_spans()) {
    if (session_ != detail::not_tracing) [[unlikely]]
      which_ = detail::begin_span(session_, name);
  }
  trace_span(const trace_span&) = delete;
  trace_span& operator=(const trace_span&) = delete;
  ~trace_span() {
    if (session_ != detail::not_tracing) [[unlikely]]
      detail::end_span(session_, which_);
  }

 private:
  std::uint32_t session_;
  std::uint64_t which_ = 0;  // set if there is a session
};

/// Records that the counter `name` has `value` from this moment on. The trace shows the counter
/// over time; a value that is not finite is not shown. Any thread. The name is copied, as for a
/// span. Without a trace it costs a load and a branch.
///
///     filch::trace_counter("requests", open_requests);
inline void trace_counter(std::string_view name, double value) noexcept {
  if (const std::uint32_t session = detail::tracing_now(); session != detail::not_tracing)
      [[unlikely]]
    detail::count_in_trace(session, name, value);
}

}  // namespace filch
