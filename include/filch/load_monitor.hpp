// How a pool's load is spread over its workers, watched while it works.
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

namespace filch {

class pool;

/// What a worker was doing when it was looked at.
enum class worker_state : unsigned char {
  absent,    ///< Not there (yet, or any more).
  running,   ///< It had something to do.
  idle,      ///< It looked for work.
  sleeping,  ///< It slept, as there was none.
  blocked,   ///< It waited in blocking(), or in a region, and could not help.
};

/// One worker at the moment of a sample.
struct worker_load {
  std::size_t deque = 0;     ///< jobs that waited in its deque
  std::size_t branches = 0;  ///< branches of its joins that waited
  worker_state state = worker_state::absent;

  std::size_t queue() const noexcept { return deque + branches; }
  friend bool operator==(const worker_load&, const worker_load&) = default;
};

/// What a load_sample says of a pool as a whole.
///
/// max, min, avg, deviation and imbalance are of the workers' queues: deque and branches of each,
/// without what waits in the injector or with guests, which backlog has, too.
struct load_figures {
  std::chrono::steady_clock::time_point time = {};  ///< When; the clock's epoch: never.
  std::uint64_t number = 0;                         ///< The first sample has 1; 0: there was none.

  std::size_t injected = 0;   ///< jobs from outside that no worker had taken yet
  std::size_t elsewhere = 0;  ///< jobs in the queues of guests and spares
  std::size_t backlog = 0;    ///< jobs that waited, altogether

  std::size_t running = 0;   ///< workers that had something to do
  std::size_t idle = 0;      ///< workers that looked for work
  std::size_t sleeping = 0;  ///< workers that slept
  std::size_t blocked = 0;   ///< workers that waited and could not help
  std::size_t helpers = 0;   ///< guests and spares that had something to do

  std::size_t max = 0;   ///< the longest queue of a worker
  std::size_t min = 0;   ///< the shortest
  double avg = 0;        ///< their mean; 0 without workers
  double deviation = 0;  ///< their standard deviation (that of all of them, not of a sample)
  /// max / avg: 1 if all queues are as long, the number of workers if one of them has everything. 1
  /// if nothing waits: then nothing is badly spread.
  double imbalance = 1;

  /// True if nobody did anything, and nothing waited.
  bool asleep() const noexcept { return running + idle + blocked + helpers + backlog == 0; }
};

/// The load of a pool at one moment. Lengths are guesses, as they change while they are read.
struct load_sample : load_figures {
  std::vector<worker_load> workers = {};  ///< one for each worker of the pool, by index
};

namespace detail {

/// A load_sample as the library keeps it.
struct seen_load : load_figures {
  plain_vector<worker_load> workers = {};
};
inline load_sample sample_from(const seen_load& s) {
  return {s, {s.workers.begin(), s.workers.end()}};
}

/// What a monitor calls. The library has no load_sample to call it with: the program makes one.
using load_callback = std::function<void(const load_sample&)>;
inline void call_with_sample(const load_callback& f, const seen_load& s) { f(sample_from(s)); }

}  // namespace detail

/// How much a monitor keeps, and when it calls. The order is that of designated initialisers.
struct load_monitor_options {
  std::size_t history = 600;  ///< So many samples are kept, the newest; 0: only the last.
  /// The pool is overloaded when at least so many jobs for each worker wait...
  double overload = 64;
  /// ... until no more than so many do; half of `overload` if it is not given. At most `overload`;
  /// less, so that a load that wavers about the threshold is one crossing and not many.
  std::optional<double> overload_over = {};
  /// It is starving when at least this part of its workers has nothing to do (is idle or sleeps)
  /// though another is running: the work is there, but it is not divided. At most 1...
  double starvation = 0.5;
  /// ... until no more than this part has; half of `starvation` if it is not given, and at most
  /// that.
  std::optional<double> starvation_over = {};
  /// Called once for each crossing, with the sample that crossed, on the monitor's own thread; the
  /// next sample waits for it. It may use the monitor, but not destroy it. What it throws goes to
  /// the pool's on_exception, as if a detached task had thrown it; without one that is a message
  /// and std::terminate.
  std::function<void(const load_sample&)> on_overload = {};
  std::function<void(const load_sample&)> on_starvation = {};  ///< likewise
};

/// Looks at a pool at intervals: how long its queues are, and what its workers do.
///
/// How      A thread of its own takes a sample every `interval` of the steady clock. One that comes
///          late (the machine was busy, or slept) is not made up for. While the whole pool sleeps
///          and nothing waits, that thread sleeps, too, and wakes nobody; the last sample says so,
///          and the next comes when somebody is there again: a sixteenth of an interval later,
///          unless that happens all the time.
/// Life     The pool may end first, by its destructor or when close() has let it run dry: then no
///          more samples come, and the last ones stay; of a pool that had ended before there are
///          none. In a child that fork() made there is no thread, hence no new samples.
/// Threads  Every function may be called by any thread, also by the pool's workers.
/// Cost     Nothing for the pool's jobs and joins. A sample reads a few words of each worker: about
///          a microsecond for a few workers, on the monitor's thread.
///
///     filch::load_monitor monitor(pool, 10ms, {.overload = 1000,
///                                              .overload_over = 100,
///                                              .on_overload = [](const auto& l) { shed(l.backlog);
///                                              }});
///     ...
///     std::printf("imbalance %.1f\n", monitor.load().imbalance);
class load_monitor {
 public:
  /// Starts to watch.
  /// Throws  `usage_error`, naming the value, if `interval` is 0 or negative, or a threshold is
  ///         negative, not a number, beyond what can be reached, or less than the value at which
  ///         it is over; or if the pool was inherited by fork(). `std::system_error` if the thread
  ///         cannot be started.
  [[nodiscard("filch: give the monitor a name, or it ends at once")]] load_monitor(
      pool& watched, std::chrono::nanoseconds interval, load_monitor_options settings = {})
      : load_monitor(watched, interval, std::move(settings), &detail::call_with_sample) {}
  load_monitor(const load_monitor&) = delete;
  load_monitor& operator=(const load_monitor&) = delete;
  /// Waits for a callback that runs. In a callback it aborts with a message.
  ~load_monitor();

  /// The last sample; one with number 0 if there is none yet.
  [[nodiscard]] load_sample load() const { return detail::sample_from(last()); }

  /// The last samples, oldest first, at most load_monitor_options::history.
  [[nodiscard]] std::vector<load_sample> history() const {
    std::vector<load_sample> samples;
    for (const detail::seen_load& s : kept()) samples.push_back(detail::sample_from(s));
    return samples;
  }

  /// How many samples were taken so far.
  [[nodiscard]] std::uint64_t samples() const;

  [[nodiscard]] std::chrono::nanoseconds interval() const noexcept;

 private:
  class watch;
  load_monitor(pool& watched, std::chrono::nanoseconds interval, load_monitor_options settings,
               void (*call)(const detail::load_callback&, const detail::seen_load&));
  detail::seen_load last() const;
  detail::plain_vector<detail::seen_load> kept() const;

  std::unique_ptr<watch> inside_;
};

}  // namespace filch
