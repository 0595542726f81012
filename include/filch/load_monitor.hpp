// load_monitor: samples how a pool's load is spread over its workers, while the pool works.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "filch/detail/base/plain_vector.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/metrics.hpp"

namespace filch {

class pool;

/// One worker at the moment of a sample. The monitor reads only what the worker itself says, so a
/// worker that is waiting or helping has the state running (see worker_state).
struct worker_load {
  std::size_t deque = 0;     ///< jobs that waited in its deque
  std::size_t branches = 0;  ///< branches of its joins that waited
  worker_state state = worker_state::absent;

  std::size_t queue() const noexcept { return deque + branches; }
  friend bool operator==(const worker_load&, const worker_load&) = default;
};

/// The figures of a load_sample that describe the pool as a whole.
///
/// max, min, avg, deviation and imbalance describe the queues of the workers. The queue of a worker
/// is its deque and its branches. They do not include what waits in the injectors or with guests;
/// backlog does.
struct load_figures {
  std::chrono::steady_clock::time_point time = {};  ///< When; the clock's epoch means never.
  std::uint64_t number = 0;                         ///< The first sample has 1; 0 means none.

  std::size_t injected = 0;   ///< jobs from outside that no worker had taken yet
  std::size_t elsewhere = 0;  ///< jobs in the queues of guests and spares
  std::size_t backlog = 0;    ///< all jobs that waited

  std::size_t running = 0;   ///< workers that ran a job
  std::size_t idle = 0;      ///< workers that looked for work, or waited for a seat
  std::size_t sleeping = 0;  ///< workers that slept
  std::size_t blocked = 0;   ///< workers that waited and could not help
  std::size_t helpers = 0;   ///< guests and spares that ran a job

  std::size_t max = 0;   ///< the longest queue of a worker
  std::size_t min = 0;   ///< the shortest
  double avg = 0;        ///< their mean; 0 without workers
  double deviation = 0;  ///< their standard deviation (that of all of them, not of a sample)
  /// max / avg: 1 if all queues have the same length, the number of workers if one of them has
  /// everything. 1 if nothing waits, because then nothing is badly spread.
  double imbalance = 1;

  /// Returns true if no thread was active and nothing waited.
  bool asleep() const noexcept { return running + idle + blocked + helpers + backlog == 0; }
};

/// The load of a pool at one moment. Lengths are approximate, because they change while the monitor
/// reads them.
struct load_sample : load_figures {
  std::vector<worker_load> workers = {};  ///< one for each worker of the pool, by index
};

namespace detail {

/// The form in which the library keeps a load_sample.
struct seen_load : load_figures {
  plain_vector<worker_load> workers = {};
};
inline load_sample sample_from(const seen_load& s) {
  return {s, {s.workers.begin(), s.workers.end()}};
}

/// The type of a monitor's callbacks. The library never handles a load_sample: code of the program
/// makes it for the call.
using load_callback = std::function<void(const load_sample&)>;
inline void call_with_sample(const load_callback& f, const seen_load& s) {
  const sanitizer_seen seen;
  f(sample_from(s));
}

}  // namespace detail

/// The settings of a monitor: how much it keeps, and when it calls. The members are in the order of
/// designated initialisers.
struct load_monitor_options {
  std::size_t history = 600;  ///< How many samples are kept, the newest; 0: only the last.
  /// An overload begins when at least this many jobs for each worker wait.
  double overload = 64;
  /// The overload is over when at most this many wait. Default: half of `overload`. It is at most
  /// `overload`, and should be less, so that a load that varies around the threshold crosses it
  /// once.
  std::optional<double> overload_over = {};
  /// Starvation begins when at least this fraction of the workers has no job (is idle or sleeps)
  /// while another worker is running: there is work, but it is not divided. At most 1.
  double starvation = 0.5;
  /// Starvation is over when at most this fraction has no job. Default: half of `starvation`. At
  /// most `starvation`.
  std::optional<double> starvation_over = {};
  /// Called once for each crossing, with the sample that crossed, on the monitor's own thread. The
  /// next sample waits for the call. The callback may use the monitor, but not destroy it. What it
  /// throws goes to the pool's on_exception, as if a detached task had thrown it. Without an
  /// on_exception that is a message and std::terminate.
  std::function<void(const load_sample&)> on_overload = {};
  std::function<void(const load_sample&)> on_starvation = {};  ///< Called in the same way.
};

/// Samples a pool at intervals: the length of its queues, and what its workers do.
///
/// How      A thread of the monitor takes a sample every `interval` of the steady clock. If a
///          sample is late (the machine was busy, or slept), the monitor does not make up for it.
///          While the whole pool sleeps and nothing waits, the thread of the monitor sleeps too,
///          and wakes no worker. The last sample says that the pool is asleep. The next sample
///          comes a sixteenth of an interval after a worker is active again, unless that happens
///          all the time.
/// Life     The pool may end first, by its destructor or when it is empty after close(). Then no
///          more samples come, and the last ones stay. For a pool that had ended before there are
///          none. In a child that fork() made, the monitor has no thread, so there are no new
///          samples.
/// Threads  Any thread may call any function, also a worker of the pool.
/// Cost     Nothing for the pool's jobs and joins. A sample reads a few words of each worker, on
///          the monitor's thread: about a microsecond for a few workers.
///
///     const auto shed_some = [](const filch::load_sample& l) { shed(l.backlog); };
///     filch::load_monitor monitor(pool, 10ms, {.overload = 1000, .on_overload = shed_some});
///     ...
///     std::printf("imbalance %.1f\n", monitor.load().imbalance);
class load_monitor {
 public:
  /// Starts the thread that samples `home`.
  /// Throws  `usage_error`, naming the value, if `interval` is 0 or negative; if a threshold is
  ///         negative, not a number, out of reach, or less than the value at which it is over; or
  ///         if the pool was inherited by fork(). `std::system_error` if the thread cannot be
  ///         started.
  [[nodiscard("filch: give the monitor a name, or it ends at once")]] load_monitor(
      pool& home, std::chrono::nanoseconds interval, load_monitor_options settings = {})
      : load_monitor(home, interval, std::move(settings), &detail::call_with_sample) {}
  load_monitor(const load_monitor&) = delete;
  load_monitor& operator=(const load_monitor&) = delete;
  /// Ends the sampling, after a running callback has returned. In a callback it aborts with a
  /// message.
  ~load_monitor();

  /// Returns the last sample; one with number 0 if there is none yet.
  [[nodiscard]] load_sample load() const { return detail::sample_from(last()); }

  /// Returns the last samples, oldest first, at most load_monitor_options::history.
  [[nodiscard]] std::vector<load_sample> history() const {
    std::vector<load_sample> samples;
    for (const detail::seen_load& s : kept()) samples.push_back(detail::sample_from(s));
    return samples;
  }

  /// Returns how many samples were taken so far.
  [[nodiscard]] std::uint64_t samples() const;

  [[nodiscard]] std::chrono::nanoseconds interval() const noexcept;

 private:
  class inside;
  load_monitor(pool& home, std::chrono::nanoseconds interval, load_monitor_options settings,
               void (*call)(const detail::load_callback&, const detail::seen_load&));
  detail::seen_load last() const;
  detail::plain_vector<detail::seen_load> kept() const;

  std::unique_ptr<inside> inside_;
};

}  // namespace filch
