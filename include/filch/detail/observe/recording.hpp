// The trace that runs, and the logs of its threads.
//
// A log belongs to its thread as long as the thread lives (log_gate.hpp says how the end of a trace
// takes it). It is deleted with the thread, or with the trace if the trace still needs it. The
// contents of a log belong to one trace: the first event in the next trace clears it.
#pragma once

#include "filch/detail/base/config.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "filch/detail/base/ticks.hpp"
#include "filch/detail/observe/events.hpp"
#include "filch/metrics.hpp"

namespace filch::detail {

class registry;
class worker;

/// The role of a thread in a pool. If a thread had several, the last one counts.
struct traced_role {
  enum class kinds : unsigned char { outside, worker, spare, guest, sampler };
  kinds kind = kinds::outside;
  std::uint32_t pool = UINT32_MAX;  ///< registry::id()
  std::uint32_t index = 0;

  friend bool operator==(const traced_role&, const traced_role&) = default;
};

/// The totals of a thread in a trace. They are exact even if the ring was too small.
struct traced_sums {
  std::uint64_t jobs = 0;
  std::uint64_t steals_taken = 0;
  std::uint64_t steal_hits = 0;
  std::uint64_t steals_lost = 0;
  std::uint64_t steals_empty = 0;
  std::uint64_t sleeps = 0;
  std::uint64_t wakes = 0;
  ticks in_jobs = 0;  ///< not counting jobs inside other jobs
  ticks asleep = 0;
  ticks as_guest = 0;
  ticks idle_as_guest = 0;
};

/// Everything that one thread recorded.
struct thread_record {
  std::uint32_t number = 0;  ///< among the threads of the trace, from 1
  traced_role role;
  std::array<char, 32> name{};
  traced_sums sums;
  event_ring events;
  std::uint32_t spans = 0;       ///< how many have begun
  std::vector<ticks> open_jobs;  ///< begin times of jobs that have not ended, outermost first
  ticks guest_since = 0;         ///< when it took `role`; 0: it is not a guest
  ticks idle_since = 0;          ///< since when it is an idle guest; 0: it is not
  bool had_other_roles = false;  ///< it was also a guest in another pool or slot
};

/// A pool that existed during a trace.
struct pool_record {
  std::uint32_t id = 0;
  std::string name;
  std::size_t size = 0;
  const registry* alive = nullptr;  ///< null once its threads have ended
  std::chrono::steady_clock::time_point from = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point until = {};  ///< when the trace or the pool ended
  std::vector<worker_metrics> before;   ///< of its participants, when the trace or the pool began
  std::vector<worker_metrics> gone_by;  ///< what they did since, once the trace or pool ended
  std::vector<std::uint32_t> guests;    ///< indices that belonged to guests at that time
};

/// A reading of both clocks. Two readings tell how long a tick is and when it was.
struct clock_reading {
  ticks at = ticks_now();
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
};

/// A trace that has ended.
struct trace_record {
  std::uint64_t start_unix_ns = 0;
  clock_reading begin, end;
  std::vector<thread_record> threads;
  std::vector<pool_record> pools;
  std::uint64_t lost_without_log = 0;  ///< events of threads without memory for a log

  std::uint64_t duration_ns() const noexcept;
  /// Nanoseconds since the beginning, limited to [0, duration_ns()], because the ticks of two
  /// processors may disagree.
  std::uint64_t ns_of(ticks t) const noexcept;
  std::uint64_t ns_between(ticks sum) const noexcept;
  std::uint64_t ns_of(std::chrono::steady_clock::time_point t) const noexcept;
};

/// Begins a trace that keeps `events` events for each thread and samples the queues every
/// `sampling` (0: never). Returns its number. Throws `usage_error` if another trace runs,
/// `std::system_error` if the sampler's thread cannot be started, and `std::bad_alloc`.
std::uint32_t begin_recording(std::size_t events, std::chrono::nanoseconds sampling);

/// Ends it. Returns false if trace `session` does not run in this process: another process began
/// it. Throws `std::bad_alloc`; then the trace has ended, and its events are lost.
bool end_recording(std::uint32_t session, trace_record& into);

/// Throws `usage_error` if a trace runs.
void require_no_recording();

/// Called by the sampler's thread: the waiting jobs and the active workers of a pool.
void trace_sample(std::uint32_t session, std::uint32_t pool, std::size_t waiting,
                  std::size_t active) noexcept;

// ---- hooks, as in detail/sched/observe.hpp -----------------------------------------------------

void recording_pool_starts(registry& home) noexcept;
void recording_pool_ends(registry& home) noexcept;
void forget_recording() noexcept;

}  // namespace filch::detail
