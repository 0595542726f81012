// The figures of a trace, which the report shows beside its pictures and `filch report --json`
// prints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/trace_data.hpp"

namespace filch::report {

/// What one thread did. Busy, sleeping and idle add up to the time that it was there. For workers
/// and spares that is the time of their pool, for a guest the time that it took part, and for any
/// other thread the time that it was busy or slept.
struct thread_summary {
  std::uint64_t jobs = 0;
  std::uint64_t steals_taken = 0;  ///< Jobs that it stole: one steal may take several.
  std::uint64_t steal_hits = 0;    ///< Steals that took some.
  std::uint64_t steals_lost = 0, steals_empty = 0;
  std::uint64_t sleeps = 0, wakes = 0;
  std::uint64_t busy_ns = 0;  ///< Running a job, or, as a guest, taking part.
  std::uint64_t sleep_ns = 0;
  std::uint64_t idle_ns = 0;  ///< There and awake, with nothing to do.
  double utilisation = 0.0;   ///< Busy time, as a share of the time that it was there.
};

/// How often a thief stole from a victim. Both are threads, but the victim may be unknown.
struct steal_cell {
  std::uint32_t thief = 0;
  std::uint32_t victim = trace_instant::no_thread;
  std::uint64_t steals = 0;
  std::uint64_t jobs = 0;  ///< Taken by them: what steals_taken counts.
};

/// The distribution of job durations. Bucket i counts those of 2^i to 2^(i+1) ns, the first also 0
/// ns.
struct duration_histogram {
  std::array<std::uint64_t, 54> buckets{};
  std::uint64_t jobs = 0;
  std::uint64_t shortest_ns = 0, longest_ns = 0, total_ns = 0;  ///< 0 if there are no jobs.
};

struct summary {
  std::uint64_t wall_ns = 0;
  std::size_t workers = 0;          ///< Threads of kind worker, in all.
  std::size_t workers_at_once = 0;  ///< The largest number of them at the same time.
  /// Of the workers while they were there, without spares, guests and outsiders.
  double utilisation = 0.0;
  double parallelism = 0.0;  ///< Busy threads of any kind, averaged over time.
  thread_summary total;  ///< Sums over all threads, but for utilisation, which is the one above.
  thread_summary of_workers;
  std::uint64_t guests_busy_ns = 0;     ///< Of all guests together.
  std::vector<thread_summary> threads;  ///< As in `trace_data::threads`.
  std::vector<steal_cell> steals;       ///< Of those in the events; by thief, then victim.
  duration_histogram durations;         ///< Of the jobs in the events, with nested ones.
  std::vector<double> active;           ///< Busy threads, in equal parts of the wall time.
  std::uint64_t lost_events = 0;
};

/// Computes the figures.
///
/// How      Totals over the trace come from the counters in the file. Where it has none, and for
///          everything else, they come from the events. A thread that claims to be busy for longer
///          than the trace counts as busy all the time.
/// Returns  Zeros for a trace of no duration or without threads. `active` has `parts` elements.
/// Cost     Linear in the number of events.
summary summarise(const trace_data& trace, std::size_t parts = 500);

}  // namespace filch::report
