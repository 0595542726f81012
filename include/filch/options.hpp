// What can be asked of a pool and of a single call.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>

namespace filch {

class pool;

/// Which outside work is taken first. It says in which order work starts, no more: nothing that has
/// started is interrupted, and no order between two tasks is promised.
///
/// Nothing starves. A worker that finds work of high priority lets other work go first every 16th
/// time; and every 8th time that it looks outside (which it does when it has nothing of its own,
/// and every 61st job) it takes work of low priority first.
enum class priority : unsigned char {
  high,    ///< Before everything else, what workers have in their own deques included.
  normal,  ///< After what the workers spawned themselves.
  low,     ///< When there is nothing else.
};

/// What a worker without work does.
enum class idle : unsigned char {
  latency,   ///< Looks for a millisecond before it sleeps: first to start, dearest to keep.
  balanced,  ///< Looks for about as long as being woken takes, then sleeps.
  power,     ///< Looks once and sleeps.
};

/// One trailing argument of the free functions. `grain`, `deterministic` and `progress` are for
/// loops: submit(), detach() and scopes refuse them with `usage_error`. The members are in the
/// order of designated initialisers: `{.grain = 64, .on = &pool}`.
struct options {
  std::size_t grain = 0;  ///< Loops: items that are not split further; 0 means choose.
  /// Work that has not started when it is asked to stop is skipped: its closure is destroyed, its
  /// future throws `cancelled`, and whoever waits for it is told as if it had run. What has started
  /// goes on: it may ask the token itself.
  std::stop_token stop = {};
  /// Of work from outside. A pool's own task that submits with another priority than normal puts
  /// that work outside, too, instead of into its worker's deque. A scope's is that of tasks which
  /// are spawned outside of its pool.
  filch::priority priority = filch::priority::normal;
  /// The pool to use; null means the current one, else the default. A function of a pool uses that
  /// pool, and refuses another one here with `usage_error`.
  filch::pool* on = nullptr;
  /// Waiting runs only what belongs to this call, as in filch::isolate(). A task that is submitted
  /// so is called inside of isolate(), on whichever pool and with whichever priority; what follows
  /// it by then() is not. For a scope see there.
  bool isolate = false;
  bool deterministic = false;  ///< Same input, same bits, on any number of workers.
  std::function<void(std::size_t done, std::size_t total)> progress =
      {};  ///< One thread at a time.
};

/// How a pool is made. The members are in the order of designated initialisers.
struct FILCH_HOLDS_STRINGS pool_options {
  /// 0 means choose: FILCH_NUM_THREADS if set, else what affinity and CPU quota allow.
  std::size_t threads = 0;
  /// Of its threads, as the system shows them: "name-0", "name-1", ... Empty means "filch". Linux
  /// shows 15 bytes: with a longer name the numbers are cut off. Messages call the pool by it, and
  /// add a number, which is that of traces and `filch top`, if two pools of one name are there.
  std::string name = {};
  filch::idle idle = filch::idle::balanced;
  /// How long an idle worker looks for work before it sleeps, on average and at most a day;
  /// negative means what `idle` says.
  std::chrono::microseconds spin{-1};
  /// Thieves leave a deque alone that has fewer jobs than this. 1 or more.
  std::size_t steal_threshold = 1;
  std::size_t stack_size = 0;  ///< Of its threads, in bytes; 0 means the system's default.
  /// Worker i runs on the i-th CPU of the affinity mask only; with more workers than CPUs it starts
  /// over. One that was taken away meanwhile is no error: then the worker runs anywhere.
  bool pin = false;
  /// Threads that may stand in for workers that block or wait in a region; see blocking().
  std::size_t max_spares = 256;
  /// How many unrelated jobs waiting may nest on one stack. Beyond that a worker that waits runs
  /// only the task whose future it waits for, if nobody has begun that, and what was spawned there
  /// since; else it sleeps while a spare stands in for it. If there is none to be had (max_spares),
  /// or none any more because others block, too, it goes on helping, so that the pool does not
  /// stand still. A level takes half a kilobyte or so besides what the job itself needs
  /// (docs/design/blocking.md).
  std::size_t max_help_depth = 32;
  /// How many jobs from outside may wait until a worker takes them (a worker takes up to 16 at a
  /// time); 0 means any number. At the limit submissions from outside wait for room, in the order
  /// in which they came (but workers of other pools, which help those meanwhile, when they get to
  /// it); try_submit() and try_detach() say no. A batch is let in as a whole as soon as fewer jobs
  /// than this wait, even if it is larger. Not limited: what the pool's own tasks submit (what they
  /// put outside by a priority counts, but does not wait), install() and broadcast().
  std::size_t queue_limit = 0;
  /// Runs first on each worker, and gets its index; all at once, also while the constructor of the
  /// pool still runs. On a spare too, which may come at any time, with an index from the number of
  /// workers on. Name, CPU and signal mask are set by then. It counts as a task: it may submit,
  /// join, and wait for futures, but not for the pool to be idle (`usage_error`), which the pool is
  /// not before it has returned. What it throws goes to on_exception, and the worker works all the
  /// same.
  std::function<void(std::size_t)> on_start = {};
  /// Runs last on each worker and spare, likewise, when everything accepted has ended. It may join
  /// and open scopes, but cannot submit to the pool any more: `pool_closed`.
  std::function<void(std::size_t)> on_stop = {};
  /// Gets each exception that nobody waits for: of detached and broadcast tasks, of scopes that end
  /// without wait(), of on_start and on_stop. On the thread where that happens, several at once if
  /// need be. If it throws, or is empty: a message with what was thrown, and std::terminate.
  std::function<void(std::exception_ptr)> on_exception = {};
};

}  // namespace filch
