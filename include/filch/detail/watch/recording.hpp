// The trace that runs, the logs of its threads, and what becomes of them.
//
// A thread's log is its own for as long as the thread lives (log_gate.hpp says how the end of a
// trace gets at it), and goes with it, or with the trace if that still needs it. What is in a log
// belongs to one trace: the first event in the next one clears it.
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
#include "filch/detail/watch/events.hpp"
#include "filch/metrics.hpp"

namespace filch::detail {

class registry;
class worker;

/// What a thread was to a pool; of one that was several things, the last.
struct traced_place {
  enum class kinds : unsigned char { outside, worker, spare, guest, sampler };
  kinds kind = kinds::outside;
  std::uint32_t pool = UINT32_MAX;  ///< registry::id()
  std::uint32_t index = 0;

  friend bool operator==(const traced_place&, const traced_place&) = default;
};

/// What a thread did in a trace, exact even if its ring was too small.
struct traced_sums {
  std::uint64_t jobs = 0;
  std::uint64_t steals_taken = 0;
  std::uint64_t steal_hits = 0;
  std::uint64_t steals_lost = 0;
  std::uint64_t steals_empty = 0;
  std::uint64_t sleeps = 0;
  std::uint64_t wakes = 0;
  ticks in_jobs = 0;  ///< those that are not inside of another
  ticks asleep = 0;
  ticks as_guest = 0;
  ticks idle_as_guest = 0;
};

/// All that one thread recorded.
struct thread_record {
  std::uint32_t number = 0;  ///< among the threads of the trace, from 1
  traced_place place;
  std::array<char, 32> name{};
  traced_sums sums;
  event_ring events;
  std::uint32_t spans = 0;       ///< that began
  std::vector<ticks> open_jobs;  ///< when those began that have not ended, outermost first
  ticks guest_since = 0;         ///< at `place`; 0: it is none now
  ticks idle_since = 0;          ///< as a guest; 0: it is not
  bool was_elsewhere = false;    ///< `place` is not the only one of which it was a guest
};

/// A pool of which there was something to see in a trace.
struct pool_record {
  std::uint32_t id = 0;
  std::string name;
  std::size_t size = 0;
  const registry* alive = nullptr;  ///< null once its threads have ended
  std::chrono::steady_clock::time_point from = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point until = {};  ///< once the trace or the pool ended
  std::vector<worker_metrics> before;   ///< of its participants, when the trace or the pool began
  std::vector<worker_metrics> gone_by;  ///< what they did since, once the trace or the pool ended
  std::vector<std::uint32_t> guests;    ///< which of them were places of guests, at that time
};

/// Two readings of both clocks, which say how long a tick is and when it was.
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
  std::uint64_t lost_without_log = 0;  ///< events of threads for which there was no memory

  std::uint64_t duration_ns() const noexcept;
  /// Nanoseconds since the beginning, from 0 to duration_ns(): ticks of two processors may
  /// disagree.
  std::uint64_t ns_of(ticks t) const noexcept;
  std::uint64_t ns_between(ticks sum) const noexcept;
  std::uint64_t ns_of(std::chrono::steady_clock::time_point t) const noexcept;
};

/// Begins a trace with so many events for each thread, looking at the queues every `sampling` (0:
/// never). Returns its number. Throws `usage_error` if another one is running, `std::system_error`
/// if there is no thread for the sampling, `std::bad_alloc`.
std::uint32_t begin_recording(std::size_t events, std::chrono::nanoseconds sampling);

/// Ends it. False if trace `session` does not run: another process began it. Throws
/// `std::bad_alloc`; then it has ended, and what it recorded is lost.
bool end_recording(std::uint32_t session, trace_record& into);

/// Is one running, as far as whoever wants to begin one is concerned?
void require_no_recording();

/// From the sampler's thread: jobs that wait in a pool, and workers that are active.
void trace_sample(std::uint32_t session, std::uint32_t pool, std::size_t waiting,
                  std::size_t active) noexcept;

// ---- hooks, as in detail/sched/observe.hpp -----------------------------------------------------

void recording_pool_starts(registry& home) noexcept;
void recording_pool_ends(registry& home) noexcept;
void forget_recording() noexcept;

}  // namespace filch::detail
