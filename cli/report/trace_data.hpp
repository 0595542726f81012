// The contents of a trace file, as the report needs them: times in nanoseconds, names and threads
// by index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace filch::report {

enum class thread_kind : unsigned char { worker, guest, spare, outside };

/// One traced thread, and its counters over the whole trace. They are exact even if the thread's
/// ring overflowed. If a counter is missing in the file, it is computed from the events.
struct trace_thread {
  std::int64_t tid = 0;
  std::int64_t pool = -1;  ///< Its `trace_pool::id`, or -1.
  thread_kind kind = thread_kind::outside;
  std::uint64_t index = 0;  ///< Among the threads of its kind in its pool.
  std::string name;
  bool declared = false;  ///< False: not in the file's list, but some event has this tid.
  std::optional<std::uint64_t> jobs, steals_taken, steal_hits, steals_lost, steals_empty, sleeps,
      wakes;
  std::optional<std::uint64_t> busy_ns, sleep_ns;
  std::optional<std::uint64_t> guest_ns;  ///< How long it took part, as a guest.
  std::uint64_t lost_events = 0;
  std::uint64_t recorded_from_ns = 0;  ///< Events before that may be among the lost ones.
};

struct trace_pool {
  std::int64_t id = 0;
  std::string name;
  std::uint64_t workers = 0;
  std::optional<std::uint64_t> begin_ns, end_ns;  ///< When it existed; missing: all the time.
};

enum class interval_kind : unsigned char {
  job,
  sleep,
  span,
  guest,  ///< Took part in a pool, as a guest.
  idle,   ///< Of a guest, in a file: had nothing to do. Here its opposite is kept:
  part,   ///< a guest's visit without its idle time and its sleep.
};

/// Something that a thread did for a while. The intervals of a thread may nest.
struct trace_interval {
  std::uint64_t begin_ns = 0;
  std::uint64_t duration_ns = 0;
  std::uint32_t thread = 0;  ///< An index of `trace_data::threads`.
  std::uint32_t name = 0;    ///< Of a span: an index of `trace_data::names`.
  interval_kind kind = interval_kind::job;
};

enum class instant_kind : unsigned char { steal, inject, wake };

/// Something that a thread did at one moment.
struct trace_instant {
  static constexpr std::uint32_t no_thread = ~std::uint32_t{0};

  std::uint64_t time_ns = 0;
  std::uint32_t thread = 0;  ///< The thread that did it: an index of `trace_data::threads`.
  std::uint32_t other =
      no_thread;            ///< The victim of a steal, or the woken thread; no_thread if unknown.
  std::uint32_t count = 0;  ///< Of a steal: how many jobs it took.
  instant_kind kind = instant_kind::steal;
};

struct trace_sample {
  std::uint64_t time_ns = 0;
  double value = 0.0;
};

enum class series_kind : unsigned char { queue, active, counter };

/// A number over time. `name` says whose it is ("pool 0" for those of the sampler).
struct trace_series {
  series_kind kind = series_kind::counter;
  std::string name;
  std::vector<trace_sample> samples;  ///< Sorted by time.
};

/// One row of the demo's table: how long a load took under one variant.
struct comparison_row {
  std::string load, variant, note;
  std::optional<double> time_ms, utilisation, speedup, ideal_ms;
  std::optional<std::uint64_t> steals;
};

struct trace_data {
  std::string file;  ///< Where it came from, for display.
  std::string version, program;
  std::int64_t pid = 0;
  std::optional<std::uint64_t> start_unix_ns;
  std::uint64_t duration_ns = 0;  ///< No event ends later.
  std::uint64_t lost_events = 0;  ///< In all: from rings that overflowed.
  std::vector<trace_pool> pools;
  std::vector<trace_thread> threads;      ///< Those of the file's list first, in its order.
  std::vector<std::string> names;         ///< Of spans.
  std::vector<trace_interval> intervals;  ///< Sorted by thread, then begin; outer before inner.
  std::vector<trace_instant> instants;    ///< Sorted by time.
  std::vector<trace_series> series;
  std::vector<comparison_row> comparison;
  std::uint64_t ignored_events = 0;  ///< Of kinds that filch does not write.
};

}  // namespace filch::report
