// What a pool's workers have done so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace filch {

/// What one worker has done since its pool was made. A branch that join calls itself is not
/// counted.
struct worker_metrics {
  std::uint64_t jobs = 0;            ///< taken from a queue and run
  std::uint64_t spawned = 0;         ///< put into its own deque by submit, detach and scopes
  std::uint64_t steals_taken = 0;    ///< steals that brought a job
  std::uint64_t steals_lost = 0;     ///< steals that somebody was faster at
  std::uint64_t steals_empty = 0;    ///< looks at a victim that had nothing to take
  std::uint64_t injector_takes = 0;  ///< jobs taken from the injector
  std::uint64_t sleeps = 0;          ///< times it went to sleep
  std::uint64_t wakes = 0;           ///< times it woke somebody

  worker_metrics& operator+=(const worker_metrics& other) noexcept {
    jobs += other.jobs;
    spawned += other.spawned;
    steals_taken += other.steals_taken;
    steals_lost += other.steals_lost;
    steals_empty += other.steals_empty;
    injector_takes += other.injector_takes;
    sleeps += other.sleeps;
    wakes += other.wakes;
    return *this;
  }
};

/// A snapshot of a pool's counters. Each is exact for its moment; they are not of one moment.
struct metrics {
  std::vector<worker_metrics> workers;  ///< one per worker, by index
  worker_metrics guests;                ///< outside threads that took part, together
  worker_metrics spares;                ///< threads that stood in for blocked workers, together

  worker_metrics total() const noexcept {
    worker_metrics sum = guests;
    sum += spares;
    for (const worker_metrics& w : workers) sum += w;
    return sum;
  }
};

}  // namespace filch
