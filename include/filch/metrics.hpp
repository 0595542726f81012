// Counters of what a pool's workers have done.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "filch/detail/base/plain_vector.hpp"

namespace filch {

/// What a worker was doing at the moment of a look.
enum class worker_state : unsigned char {
  absent,    ///< It has not started, or has ended.
  running,   ///< It ran a job.
  idle,      ///< It looked for work.
  sleeping,  ///< It slept, because there was none.
  blocked,   ///< It waited in blocking(), or in a region, and could not help.
  waiting,   ///< It ran a job, and that waited in the kernel: for a lock, a file, another thread.
  helping,   ///< It ran a job while another of its jobs waited for tasks (join, scope, future).
  /// It had a job, or a wait of its own had ended, and other threads of its call had all the seats.
  awaiting_seat,
};

/// What one worker did at the moment of a snapshot.
struct worker_status {
  /// `waiting` is known if the system tells what threads do. Without that, the state is `running`
  /// or `helping`.
  worker_state state = worker_state::absent;
  /// How many waits for tasks its jobs are in, one inside of the other. If this is not 0, a worker
  /// that sleeps or searches is not idle: its job waits for a task.
  std::uint64_t waits = 0;
  /// Nanoseconds for which its thread is known to have used no processor time. The library knows
  /// that from the looks before: earlier calls of metrics() and dump(), FILCH_LIVE, FILCH_WATCHDOG.
  std::uint64_t still_ns = 0;

  friend bool operator==(const worker_status&, const worker_status&) = default;
};

/// What one worker has done since its pool was made, or between two snapshots. A branch that the
/// caller of a join runs itself is not counted.
struct worker_metrics {
  std::uint64_t jobs = 0;            ///< jobs taken from a queue and run
  std::uint64_t spawned = 0;         ///< jobs put into its own deque by submit, detach and scopes
  std::uint64_t steals_taken = 0;    ///< jobs that it stole
  std::uint64_t steal_hits = 0;      ///< steals that took jobs: one steal may take several
  std::uint64_t steals_lost = 0;     ///< steals that another thread won
  std::uint64_t steals_empty = 0;    ///< steals that found nothing to take
  std::uint64_t injector_takes = 0;  ///< jobs taken from the injector
  std::uint64_t sleeps = 0;          ///< times it went to sleep
  std::uint64_t wakes = 0;           ///< times it woke another thread
  /// Nanoseconds in which it was busy. The worker reads the clock when it runs out of work and when
  /// it has work again, never for a single job. So the few hundred nanoseconds of finding the next
  /// job count as busy if the first looks find one. A longer search, sleeping, and waiting in
  /// blocking() do not count. A guest is busy from its arrival to its departure, except while it
  /// finds nothing to help with.
  std::uint64_t busy_ns = 0;
  std::uint64_t sleep_ns = 0;  ///< Nanoseconds asleep. The rest of the time it looked for work.
  /// Nanoseconds of processor time that its thread has used. A worker that is busy and uses none
  /// waits in a job, for a lock or a file. 0 for guests, and if the system does not tell.
  std::uint64_t cpu_ns = 0;

  worker_metrics& operator+=(const worker_metrics& other) noexcept;
  /// Subtracts `earlier`, which leaves what was done since then. A counter that is larger in
  /// `earlier` becomes 0 and does not wrap around; that happens if the snapshots were swapped, or
  /// are of two pools.
  worker_metrics& operator-=(const worker_metrics& earlier) noexcept;
  friend worker_metrics operator+(worker_metrics a, const worker_metrics& b) noexcept {
    return a += b;
  }
  friend worker_metrics operator-(worker_metrics later, const worker_metrics& earlier) noexcept {
    return later -= earlier;
  }
  friend bool operator==(const worker_metrics&, const worker_metrics&) = default;

  /// Returns how often it tried to steal, with any result.
  std::uint64_t steals() const noexcept { return steal_hits + steals_lost + steals_empty; }

  /// Returns the fraction of steals() that took a job, from 0 to 1; 0 if there were none.
  double steal_success() const noexcept {
    return steals() == 0 ? 0 : static_cast<double>(steal_hits) / static_cast<double>(steals());
  }
};

namespace detail {

/// The form in which the library passes a filch::metrics to the program.
struct measured_pool {
  plain_vector<worker_metrics> workers;
  worker_metrics guests;
  worker_metrics spares;
  std::uint64_t elapsed_ns = 0;
  plain_vector<worker_status> now;
};

/// The name of a state, such as "waiting"; "unknown" if there is no such state.
const char* name_of(worker_state state) noexcept;

/// Print the parts of a table of metrics. A line shows a negative `utilisation` as a dash.
void print_metrics_heading(std::ostream& out);
void print_metrics_line(std::ostream& out, const std::string& name, const worker_metrics& m,
                        double utilisation, const char* state = "");

}  // namespace detail

/// A snapshot of a pool's counters. Each counter is exact for the moment at which it is read. The
/// counters are not all read at the same moment.
///
///     const filch::metrics before = pool.metrics();
///     work();
///     std::cout << pool.metrics() - before;  // a table, one line for each worker
struct metrics {
  std::vector<worker_metrics> workers = {};  ///< one per worker, by index
  worker_metrics guests = {};                ///< outside threads that took part, together
  worker_metrics spares = {};                ///< threads that stood in for workers, together
  std::uint64_t elapsed_ns = 0;              ///< since the pool was made, or between two snapshots
  std::vector<worker_status> now = {};       ///< what each worker did at the later snapshot

  worker_metrics total() const noexcept {
    worker_metrics sum = guests;
    sum += spares;
    for (const worker_metrics& w : workers) sum += w;
    return sum;
  }

  /// Subtracts `earlier`, a snapshot of the same pool, which leaves what happened since then. No
  /// counter wraps around, as for one worker. Workers that `earlier` does not have keep their
  /// counters.
  metrics& operator-=(const metrics& earlier) noexcept {
    for (std::size_t i = 0; i < std::min(workers.size(), earlier.workers.size()); ++i)
      workers[i] -= earlier.workers[i];
    guests -= earlier.guests;
    spares -= earlier.spares;
    elapsed_ns -= std::min(elapsed_ns, earlier.elapsed_ns);
    return *this;
  }
  friend metrics operator-(metrics later, const metrics& earlier) noexcept {
    return static_cast<metrics&&>(later -= earlier);
  }
  friend bool operator==(const metrics&, const metrics&) = default;

  /// Returns the fraction of time in which the pool was busy, from 0 to 1: the busy time of workers
  /// and spares, divided by elapsed_ns times the number of workers. 0 if no time has passed, or
  /// without workers.
  double utilisation() const noexcept {
    std::uint64_t busy = spares.busy_ns;
    for (const worker_metrics& w : workers) busy += w.busy_ns;
    return part(busy, workers.size());
  }
  /// Returns the same fraction for one worker; 0 if there is no worker `index`.
  double utilisation(std::size_t index) const noexcept {
    return index < workers.size() ? part(workers[index].busy_ns, 1) : 0;
  }

  /// Prints a table: a line for each worker, a line each for guests and spares if they did
  /// anything, the total, and the utilisation. A line for a worker ends with what it does. The
  /// stream keeps its format.
  friend std::ostream& operator<<(std::ostream& out, const metrics& m) {
    detail::print_metrics_heading(out);
    for (std::size_t i = 0; i < m.workers.size(); ++i)
      detail::print_metrics_line(out, std::to_string(i), m.workers[i], m.utilisation(i),
                                 i < m.now.size() ? detail::name_of(m.now[i].state) : "");
    if (m.guests != worker_metrics{}) detail::print_metrics_line(out, "guests", m.guests, -1);
    if (m.spares != worker_metrics{}) detail::print_metrics_line(out, "spares", m.spares, -1);
    detail::print_metrics_line(out, "total", m.total(), m.utilisation());
    return out;
  }

 private:
  double part(std::uint64_t busy, std::size_t threads) const noexcept {
    const double whole = static_cast<double>(elapsed_ns) * static_cast<double>(threads);
    return whole == 0 ? 0 : std::min(1.0, static_cast<double>(busy) / whole);
  }
};

}  // namespace filch
