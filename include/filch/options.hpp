// The settings of a pool and the options of a single call.
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

/// The priority of tasks from outside. It decides only the order in which tasks start. A task that
/// has started is not interrupted, and no order between two given tasks is promised.
///
/// No priority starves. A worker that finds work of high priority lets other work go first every
/// 16th time. Every 8th time that it looks at the injectors, a worker takes work of low priority
/// first. It looks there when its own deque is empty, and after every 61st job.
enum class priority : unsigned char {
  high,    ///< Before everything else, also before the jobs in the workers' deques.
  normal,  ///< After the jobs in the workers' deques.
  low,     ///< When there is nothing else.
};

/// What a worker does when it has no job.
enum class idle : unsigned char {
  latency,   ///< Looks for a millisecond before it sleeps: starts soonest, uses most CPU.
  balanced,  ///< Looks for about as long as being woken takes, then sleeps.
  power,     ///< Looks once and sleeps.
};

/// The options of a single call; the last argument of the free functions. `grain`, `deterministic`
/// and `progress` are for loops, algorithms and ranges: submit(), detach() and scopes refuse them
/// with `usage_error`. So do submit() and detach() with `max_workers`. The members are in the order
/// of designated initialisers: `{.grain = 64, .on = &pool}`.
struct options {
  std::size_t grain = 0;  ///< Loops: a range of this many items is not split; 0 means choose.
  /// A task or part of a loop that has not started when this token is asked to stop is skipped. Its
  /// closure is destroyed, its future throws `cancelled`, and a wait for it ends as if it had run.
  /// Work that has started goes on; it may ask the token itself.
  std::stop_token stop = {};
  /// The priority of a task from outside. A task of the pool that submits with a priority other
  /// than normal also puts its task into an injector, instead of the deque of its worker. The
  /// priority of a scope applies to tasks that are spawned from outside of its pool.
  filch::priority priority = filch::priority::normal;
  /// The pool to use; null means the current pool, or else the default pool. A member function of a
  /// pool uses that pool, and refuses another one here with `usage_error`.
  filch::pool* on = nullptr;
  /// While this call waits, its thread runs only what belongs to it, as in filch::isolate(). While
  /// a loop or algorithm runs on another pool, the thread runs nothing. On the pool in which the
  /// thread takes part, it begins the loop itself, whatever the priority is. A task that is
  /// submitted with this option runs inside isolate(), on any pool and with any priority. A
  /// continuation of that task, made by then(), does not. For a scope see there.
  bool isolate = false;
  bool deterministic = false;  ///< The same input gives the same bits on any number of workers.
  std::function<void(std::size_t done, std::size_t total)> progress =
      {};  ///< Called by one thread at a time.
  /// At most so many threads run the work of this loop, algorithm, range or scope at once; 0 means
  /// all. A thread that runs such work takes a place in the call.
  ///
  /// Who counts: the caller of a loop, algorithm or range does. The maker of a scope counts only
  /// while it runs a task of the scope. Tasks that the bodies submit do not count, nor does work
  /// that they give to another pool.
  ///
  /// Which waits hang: a body that waits keeps its place, also in blocking(). Such bodies may take
  /// all places. So a body must not wait in blocking() for another part of its call. In an
  /// isolate() inside of the call, it must not wait for a part outside of that isolate().
  ///
  /// What nests: an isolate() inside of the call is a part of the call. So is another limited call,
  /// which has its own limit besides. A scope with this option cannot be isolated: make it inside
  /// of an isolate() instead.
  std::size_t max_workers = 0;
  /// What has not started at this time is skipped, as if `stop` had been asked to stop then.
  /// Nothing is interrupted, and no thread is woken.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// As pool_options::threads: a pool without workers. Each thread that gives it work runs that work
/// itself, as a guest of the pool: submit(), install() and the spawn() of a scope call their
/// functions in place, and loops and joins run on their callers. Exception: a task that a guest
/// spawns into a scope waits in the guest's deque until the guest waits or leaves.
///
/// Careful: a worker or guest of another pool calls the functions too, but stays in that pool. Free
/// functions in them use that pool, and `this_worker::slot()` is a slot of that pool. It is no
/// index for arrays of `max_slots()` elements of the pool without workers.
inline constexpr std::size_t none = ~(static_cast<std::size_t>(-1) >> 1);

/// The settings of a pool. The members are in the order of designated initialisers.
struct FILCH_HOLDS_STRINGS pool_options {
  /// The number of workers. 0 means choose: FILCH_NUM_THREADS if set, else what affinity and CPU
  /// quota allow. `filch::none` means no workers.
  std::size_t threads = 0;
  /// The name of the threads, as the system shows them: "name-0", "name-1", ... Empty means
  /// "filch". Linux shows 15 bytes; of a longer name it cuts off the numbers. Messages use this
  /// name for the pool. If there are two pools of one name, they add a number, which is the same in
  /// traces and `filch top`.
  std::string name = {};
  filch::idle idle = filch::idle::balanced;
  /// How long an idle worker looks for work before it sleeps. It is an average, and at most a day.
  /// Negative means what `idle` says.
  std::chrono::microseconds spin{-1};
  /// Thieves do not steal from a deque that has fewer jobs than this. 1 or more.
  std::size_t steal_threshold = 1;
  std::size_t stack_size = 0;  ///< Bytes of stack of each thread; 0 means the system's default.
  /// Worker i runs only on the i-th CPU of the affinity mask. With more workers than CPUs the count
  /// starts over. If that CPU is taken away meanwhile, it is not an error: the worker then runs
  /// anywhere.
  bool pin = false;
  /// The number of spares that may stand in for workers that block or wait in a region; see
  /// blocking().
  std::size_t max_spares = 256;
  /// How many unrelated jobs may nest on one stack because waits help. Beyond that, a waiting
  /// worker runs only two kinds of jobs: the task whose future it waits for, if no thread has
  /// started it, and jobs that were spawned on this stack since the wait began. Otherwise it sleeps
  /// while a spare stands in for it. If it can get no spare (max_spares), or loses it because other
  /// workers block too, it goes on helping, so that the pool does not stand still. A level takes
  /// about half a kilobyte of stack besides what the job itself needs (docs/design/blocking.md).
  std::size_t max_help_depth = 32;
  /// How many tasks from outside may wait until a worker takes them; a worker takes up to 16 at a
  /// time. 0 means any number. At the limit, outside threads that submit wait until their tasks are
  /// admitted, first come, first served. Workers of other pools are not in that order: they help
  /// their own pools meanwhile, and try again. A thread that spawns into its own scope does not
  /// wait: it runs one of its tasks. try_submit() and try_detach() do not wait: they return nothing
  /// or false. A batch is admitted as a whole as soon as fewer tasks than this wait, even if the
  /// batch is larger. install(), broadcast(), continuations and submissions by the pool's own tasks
  /// are not limited. A task that the pool's own tasks put into an injector by a priority counts,
  /// but does not wait.
  std::size_t queue_limit = 0;
  /// Called first on each worker, with the index of the worker. The workers call it all at once,
  /// possibly while the constructor of the pool still runs. A spare calls it too, at any time, with
  /// an index from the number of workers on. Name, CPU and signal mask of the thread are set by
  /// then. The call counts as a task: it may submit, join, and wait for futures. It must not wait
  /// for the pool to be idle (`usage_error`), because the pool is not idle before the call has
  /// returned. What it throws goes to on_exception, and the worker starts all the same.
  std::function<void(std::size_t)> on_start = {};
  /// Called last on each worker and spare, in the same way, when everything accepted has ended. It
  /// may join and open scopes. A submission to the pool throws `pool_closed`.
  std::function<void(std::size_t)> on_stop = {};
  /// Called with each exception that has no waiter: of detached and broadcast tasks, of scopes that
  /// end without wait(), of on_start and on_stop. The thread where the exception happens calls it,
  /// so several calls may overlap. If it throws, or is empty, the program prints what was thrown
  /// and calls std::terminate.
  std::function<void(std::exception_ptr)> on_exception = {};
  /// How many slots there are for outside threads. A thread has one while it takes part. So has a
  /// scope that an outside thread made, from its first task until its tasks have been waited for: a
  /// thread with several scopes uses several. A thread without a slot runs its loops and joins
  /// alone. It runs a task of its scope as it spawns it; with `isolate`, when it waits.
  std::size_t max_guests = 256;
};

}  // namespace filch
