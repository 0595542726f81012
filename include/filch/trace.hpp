// A record of what every worker did when, to be looked at afterwards.
//
// Without any change to the program, from its environment:
//
//   FILCH_TRACE=file          Traces from the first pool on and writes the file at exit. In its
//                             name, %p is the process id and %% a percent sign.
//   FILCH_TRACE_EVENTS=n      So many events are kept for each thread (trace_options::events).
//   FILCH_TRACE_ON_SIGNAL=1   Writes the file also when SIGINT, SIGTERM or SIGHUP ends the program.
//                             Signals that it ignores or handles itself are left to it.
//   FILCH_LIVE=1              Publishes the counters of the pools while the program runs, for
//   `filch
//                             top`, in memory that only its user and root can read.
//
// A setting that cannot be met is a message on stderr that names it, and the program runs without.
// A program with rights that the user who starts it has not (set-user-ID, set-group-ID,
// capabilities of its file) takes none of these settings.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "filch/detail/base/tracing.hpp"

namespace filch {

/// The order is that of designated initialisers.
struct trace_options {
  /// So many events of each thread are kept, from 16 to 2^28: a job or a steal takes one, a span
  /// with a short name two, each of them 24 bytes of memory. When there are more the oldest go, and
  /// the file says how many. 0 means choose: FILCH_TRACE_EVENTS if set, else 262144.
  std::size_t events = 0;
  /// How often the length of the queues and the number of workers that run are looked at. 0 means
  /// never. A look takes a core some tens of microseconds, which it takes from a worker if all are
  /// busy.
  std::chrono::nanoseconds sampling = std::chrono::milliseconds(5);
};

/// Records, for as long as it lives, what all pools of the program do, and then writes a file that
/// Perfetto, chrome://tracing and `filch report` open (Chrome trace JSON; docs/spec/watching.md has
/// the format).
///
/// What     Jobs taken from a queue and stolen branches, from start to end; steals with their
///          victims; injections, sleep, wake-ups; spans and counters of the program; the length of
///          the queues and the number of active workers, sampled. Not a branch that join calls
///          itself.
/// How      Each thread writes into a ring of its own, without a lock. The memory for it is taken
///          at the thread's first event; if there is none, its events are lost and counted. The
///          file is written when the trace ends, while the program goes on.
/// Errors   Whatever goes wrong with the file after the constructor, and a lack of memory to write
///          it, is a message on stderr and the result of finish(), and never ends the program.
/// Fork     A child is not traced, and does not touch its parent's file.
/// Threads  One thread at a time uses an object. Only one trace at a time can run.
/// Cost     Without a trace: nothing for a join, a load and a branch for each other job. With one:
///          some tens of nanoseconds for a job (docs/investigations/0007-watching.md).
///
///     {
///       filch::trace trace("work.json");
///       work();
///     }  // now there is work.json
class trace {
 public:
  /// Creates the file, or empties it, and starts.
  /// Throws  `usage_error` if another trace is running, which FILCH_TRACE may have begun, or an
  ///         option is out of its range, or the path has a zero byte, or FILCH_TRACE_EVENTS, where
  ///         it is used, is not a number in that range; `std::system_error`, which names the path,
  ///         if the file cannot be created, or is a FIFO that nobody reads; `std::bad_alloc`.
  explicit trace(std::string path, trace_options settings = {});
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;
  /// finish(), if that was not called.
  ~trace();

  /// Ends the trace and writes the file. Returns what went wrong, which has also been said on
  /// stderr; then the file is not complete. The second time it does nothing and returns the same.
  std::error_code finish() noexcept;

  /// Is a trace running now, whoever began it? Any thread; one load.
  static bool is_on() noexcept { return detail::tracing_now() != detail::not_tracing; }

 private:
  std::string path_;
  int file_ = -1;  // -1 once it has ended
  std::uint32_t session_ = 0;
  std::error_code error_;
};

/// A named stretch of time in the trace, from its constructor to its destructor, on the thread of
/// both. On any thread, in a pool or not. Between them a span may not wait for another task on a
/// worker if it is to be read easily: what the worker does meanwhile lies inside of it.
///
/// Spans of a thread should nest: each has its own end if they do not, but not every viewer can
/// draw that. One that is destroyed on another thread ends with the job, or else the span, that is
/// around it.
///
/// The name is copied: it may be gone afterwards. Of long ones the first 100 bytes are kept.
/// Cost     Without a trace a load and a branch. Never throws.
///
///     filch::trace_span span("parse");
class trace_span {
 public:
  explicit trace_span(const char* name) noexcept : session_(detail::tracing_now()) {
    if (session_ != detail::not_tracing) [[unlikely]]
      which_ = detail::begin_span(session_, name != nullptr ? std::string_view(name) : "(null)");
  }
  explicit trace_span(std::string_view name) noexcept : session_(detail::tracing_now()) {
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
  std::uint64_t which_ = 0;  // if there is a session
};

/// A value of the program over time: from now on the counter `name` is `value`, which must be
/// finite to be shown. Any thread. The name is copied, as for a span. Without a trace a load and a
/// branch.
///
///     filch::trace_counter("requests", open_requests);
inline void trace_counter(std::string_view name, double value) noexcept {
  if (const std::uint32_t session = detail::tracing_now(); session != detail::not_tracing)
      [[unlikely]]
    detail::count_in_trace(session, name, value);
}

}  // namespace filch
