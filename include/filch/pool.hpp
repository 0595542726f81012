// The pool of workers, and the default pool.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/metrics.hpp"
#include "filch/options.hpp"

namespace filch {

/// A set of workers that share tasks by stealing them from each other.
///
/// How       Each worker has a deque. A task that a worker submits goes into the deque of that
///           worker. The worker takes the newest job first; thieves steal the oldest. A task from
///           an outside thread goes through an injector, which is first in, first out. There is one
///           injector for each priority. An idle worker sleeps and uses no CPU.
/// Threads   Any thread may call any function, unless the function says otherwise. A task runs on a
///           worker, or on a guest: an outside thread that takes part while it waits (see join and
///           scope).
/// Memory    A task sees what its submitter did before the submission. A thread that waits for a
///           task sees what the task did.
/// Errors    An exception in a task never ends a worker: it goes to the future, or to on_exception.
///           A call that throws for reasons of its own has accepted nothing and changed nothing.
/// Fork      In a child that fork() made, the threads of an inherited pool do not exist. Functions
///           that need them throw `usage_error` there: submissions, install, broadcast, waiting,
///           and scopes on that pool. size(), metrics() and dump() report the state at the time of
///           the fork. close() does nothing. The destructor returns at once and frees nothing. A
///           pool that is made in the child works like any other. If a worker called fork(), the
///           thread of the child is not a worker; it keeps the worker's signal mask and, if the
///           worker was pinned, its CPU. The child must not return into a task, join or scope that
///           was running when fork() was called: that aborts with a message, or throws. Use _exit()
///           or exec there. The pool notices calls of fork() on glibc; it does not notice _Fork()
///           and bare system calls. POSIX itself promises none of this to the child of a process
///           that has threads.
/// Cost      One allocation per task. A submission from outside is two compare-exchanges, and a
///           system call if a worker sleeps. bench/micro/submit measures it.
///
/// It has many functions, because it is all that users see of a pool. Its one member is the inside.
///
///     filch::pool pool({.threads = 4, .name = "render"});
///     filch::future<int> answer = pool.submit([] { return 42; });
///     pool.detach([] { log("hello"); });
///     pool.wait_idle();
class pool {
 public:
  /// Starts `threads` workers; 0 means that the pool chooses (see pool_options::threads).
  /// Throws  `usage_error`, naming the value, for options or a FILCH_NUM_THREADS that cannot be
  ///         met; `std::system_error` if a thread cannot be started, and then no thread is left
  ///         running; `std::bad_alloc`.
  explicit pool(std::size_t threads) : pool(pool_options{.threads = threads}) {}
  explicit pool(pool_options settings = {}) {
    begin(std::move(settings));
    detail::msan_written(core_);
  }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Closes the pool, runs everything that it has accepted, waits until all guests have left, and
  /// joins the threads. A worker of another pool helps its own pool meanwhile. On a worker of this
  /// pool the destructor aborts with a message, because that worker would wait for itself. In a
  /// child that inherited the pool by fork() it does nothing.
  ~pool() {
    const detail::sanitizer_hidden hidden;
    end();
    detail::let_go(core_);
  }

  /// Returns the number of workers.
  [[nodiscard]] std::size_t size() const noexcept { return detail::worker_count(*core_); }

  /// Returns a number that is larger than every this_worker::slot() in this pool: workers, spares
  /// and guests. It stays the same.
  [[nodiscard]] std::size_t max_slots() const noexcept { return detail::most_slots(*core_); }

  /// Changes how many threads may work at once: from 1 to size(); 0 means size(). A worker that
  /// runs a job goes on to its end, so the number may be larger for a while. Outside threads that
  /// wait in calls of their own always work on them; workers stand aside for them. If a thread is
  /// woken in a call, has just taken a part of it, or is the outside thread that begins to wait in
  /// it, while others run the call on all seats, it waits until a seat is free.
  /// Throws   `usage_error` for any other number.
  /// Threads  Any.
  ///
  ///     pool.limit(2);  // from now on two threads
  void limit(std::size_t threads) { detail::limit_threads(*core_, threads); }

  /// Submits `f` as a task and returns its future. The future has what `f` returns or throws; a
  /// result must be movable. If options::stop is asked to stop before `f` starts, `f` does not run
  /// and the future throws `cancelled`. If as many tasks from outside wait as queue_limit allows,
  /// the call waits until `f` is admitted. A worker of another pool helps its own pool meanwhile. A
  /// pool without workers (filch::none) calls `f` before submit() returns, so tasks each of which
  /// submits the next one nest on the stack.
  /// Careful If outside threads work in calls of their own on all seats of the pool, the task waits
  ///         until one of them has ended its call, sleeps, or is in blocking().
  /// Throws  `pool_closed` after close(), also if close() is called while it waits;
  ///         `usage_error` if `f` is an empty function or an option is not supported;
  ///         `std::bad_alloc`. In each case `f` was not accepted and will not run.
  ///
  ///     filch::future<int> answer = pool.submit([] { return 42; });
  template <detail::task_function F>
  auto submit(F&& f, const options& o = {}) -> future<std::invoke_result_t<std::decay_t<F>&>> {
    require_own(o, "submit");
    return future<std::invoke_result_t<std::decay_t<F>&>>(
        detail::submit_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "submit"));
  }

  /// Submits `f` like submit(), but returns nullopt instead of waiting. In that case `f` has not
  /// been touched. A task of this pool always gets a future. Throws like submit().
  ///
  ///     if (auto answer = pool.try_submit(ask)) use(answer->get());
  template <detail::task_function F>
  [[nodiscard]] auto try_submit(F&& f, const options& o = {})
      -> std::optional<future<std::invoke_result_t<std::decay_t<F>&>>> {
    require_own(o, "try_submit");
    detail::reservation reserved(*core_);
    if (!reserved) return std::nullopt;
    return future<std::invoke_result_t<std::decay_t<F>&>>(
        detail::submit_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "try_submit", &reserved));
  }

  /// Submits `f` without a future. If options::stop is asked to stop before `f` starts, `f` does
  /// not run. Only wait_idle() and the destructor wait for `f`. What `f` throws goes to
  /// on_exception. The call waits to be admitted, and throws, like submit().
  template <detail::task_function F>
  void detach(F&& f, const options& o = {}) {
    require_own(o, "detach");
    detail::detach_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "detach");
  }

  /// Submits `f` like detach(), but returns false instead of waiting. In that case `f` has not been
  /// touched. Throws like submit().
  template <detail::task_function F>
  [[nodiscard]] bool try_detach(F&& f, const options& o = {}) {
    require_own(o, "try_detach");
    detail::reservation reserved(*core_);
    if (!reserved) return false;
    detail::detach_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "try_detach", &reserved);
    return true;
  }

  /// Detaches every callable of a range at once: the pool accepts all of them, or none. The
  /// callables are moved out of an rvalue range, even if the pool then refuses them; otherwise they
  /// are copied. The call waits to be admitted, and throws, like submit(). The whole batch is
  /// admitted as soon as one task would be.
  ///
  ///     std::vector<std::function<void()>> chores = {sweep, mop};
  ///     pool.submit_batch(chores);
  template <detail::task_range R>
  void submit_batch(R&& callables);

  /// Calls `f` on a worker of this pool, waits for it, and returns or throws what `f` does. A
  /// worker or guest of this pool calls `f` directly; on a pool without workers every thread does.
  /// Free functions that `f` calls use this pool. A worker of another pool runs jobs of its own
  /// pool while it waits.
  /// Throws  What `f` throws; `pool_closed` after close(), from outside; `usage_error` if `f` is an
  ///         empty function.
  /// Cost    No allocation.
  ///
  ///     pool.install([&] { filch::join(left, right); });
  template <detail::visitor F>
  decltype(auto) install(F&& f);

  /// Calls f(worker_index), or f() if it takes no index, exactly once on every worker. A worker
  /// runs broadcasts in the order in which they were made, before other work. All workers call the
  /// same object, and the calls overlap. Returns at once; wait_idle() waits for the calls. What `f`
  /// throws goes to on_exception. Throws like submit().
  ///
  ///     pool.broadcast([](std::size_t worker) { warm_up_caches(worker); });
  template <detail::broadcast_function F>
  void broadcast(F f);

  /// Lets a coroutine of any type continue on a worker of this pool: `co_await pool.schedule()`.
  /// The coroutine runs there as a task, for which wait_idle() and the destructor wait until it
  /// suspends again or ends. If it is on a worker of this pool already, other jobs get a turn
  /// first. An exception that leaves the coroutine there goes to on_exception. The coroutine must
  /// not be destroyed before it continues.
  /// Throws  Inside the coroutine, which then has not moved: `pool_closed` after close(), from
  ///         outside. After main the default pool throws nothing, and the coroutine continues on
  ///         its current thread.
  /// Cost    No allocation.
  ///
  ///     co_await pool.schedule();
  detail::schedule_awaiter schedule() noexcept { return detail::schedule_awaiter(core_); }

  /// Waits until everything that the pool has accepted has ended and all closures are destroyed. A
  /// worker of another pool helps its own pool meanwhile.
  /// Throws  `usage_error` in a task of this pool, because the task would wait for itself, also
  ///         in a function that the task calls by another pool's install(); `usage_error` on a
  ///         thread that takes part in this pool; `std::bad_alloc`.
  void wait_idle() { (void)wait_idle_until(std::chrono::steady_clock::time_point::max()); }

  /// Waits like wait_idle(), for at most `time`. Returns true if the pool was idle, also if `time`
  /// is 0 or negative.
  template <class Rep, class Period>
  bool wait_idle_for(std::chrono::duration<Rep, Period> time) {
    return wait_idle_until(detail::deadline_after(time));
  }

  /// Makes the pool refuse submissions from outside with `pool_closed`. Tasks of this pool may
  /// still submit until the pool is empty. The call does not wait. Tasks for a later time are not
  /// run: see filch/timers.hpp. A second call changes nothing, and neither does a call in a child
  /// that inherited the pool by fork().
  void close() noexcept;

  /// Returns what the workers have done so far. While they work, the counters are read at slightly
  /// different moments. It asks the system about each worker, which takes some microseconds for a
  /// worker that runs a job.
  [[nodiscard]] filch::metrics metrics() const {
    const detail::measured_pool m = detail::measure(*core_);
    return {{m.workers.begin(), m.workers.end()},
            m.guests,
            m.spares,
            m.elapsed_ns,
            {m.now.begin(), m.now.end()}};
  }

  /// Prints, for each worker, what it is doing (running, waiting, helping, blocked, idle,
  /// sleeping), how many jobs are in its queue, and its last victim. For a worker that waits, it
  /// prints for how long that is known, what the system says that it waits for, and its innermost
  /// trace_span (see there). It is meant for a program that seems stuck: docs/guide/hangs.md.
  void dump(std::ostream& out) const { detail::dump(*core_, out); }

  FILCH_REFUSED_TASK(submit);
  FILCH_REFUSED_TASK(try_submit);
  FILCH_REFUSED_TASK(detach);
  FILCH_REFUSED_TASK(try_detach);
  FILCH_REFUSED_OPTIONS_BEFORE_TASK(submit);
  FILCH_REFUSED_OPTIONS_BEFORE_TASK(try_submit);
  FILCH_REFUSED_OPTIONS_BEFORE_TASK(detach);
  FILCH_REFUSED_OPTIONS_BEFORE_TASK(try_detach);

  /// Internal: for the parts of filch that need the registry.
  const std::shared_ptr<detail::registry>& core() const noexcept { return core_; }

 private:
  void begin(pool_options&& settings);
  void end() noexcept;
  void require_own(const options& o, const char* who) const;
  template <class F>
  using batch = std::vector<std::unique_ptr<detail::detached_task<F>>>;
  /// Releases `tasks` to the pool, which has accepted them. If the pool has retired, the caller
  /// runs them.
  template <class F>
  void hand_over(batch<F>& tasks, bool accepted);
  bool wait_idle_until(std::chrono::steady_clock::time_point deadline) {
    bool idle = false;
    {
      const detail::sanitizer_hidden hidden;
      idle = sleep_until_idle(deadline);
    }
    if (idle) detail::tsan_acquire(core_.get());
    return idle;
  }
  bool sleep_until_idle(std::chrono::steady_clock::time_point deadline);

  std::shared_ptr<detail::registry> core_;
};

/// Returns the pool that free functions use on a thread outside of every pool.
///
/// How      The pool is made on first use. At exit it runs everything it has accepted, unless one
///          of its own tasks called exit(). After that, a caller runs what it submits. A child that
///          fork() made has a default pool of its own. That pool is made on its first use there,
///          with the same settings; configure_default_pool() may change them before. At exit of the
///          child only that pool is drained.
/// Throws   On first use, what the constructor of pool throws. The next use tries again.
/// Threads  Any. Several threads may make the first use at once.
pool& default_pool();

/// Sets how the default pool will be made. The last call before the first use counts. That first
/// use throws if the settings cannot be met.
/// Throws   `usage_error` if the default pool exists already: shut it down first.
/// Threads  Any.
///
///     filch::configure_default_pool({.threads = 4, .name = "app"});
void configure_default_pool(pool_options settings);

/// Runs everything that the default pool has accepted, and ends its threads. The next use makes the
/// pool again, with the same settings. No other thread may use the pool during the call. On a
/// worker of the default pool the call aborts with a message. Without a default pool, and after
/// main, it does nothing.
void shutdown_default_pool();

template <class F>
void pool::hand_over(batch<F>& tasks, bool accepted) {
  for (auto& t : tasks) {
    if (accepted)
      (void)t.release();  // the pool has it
    else
      t->run_in_place(*core_);
  }
}

template <detail::task_range R>
void pool::submit_batch(R&& callables) {
  using F = std::ranges::range_value_t<R>;
  // Copy callables that the caller keeps: those that an lvalue holds or a view refers to. Move the
  // others, which the range makes or gives away.
  constexpr bool copies =
      std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> &&
      (std::is_lvalue_reference_v<R> || std::ranges::view<std::remove_cvref_t<R>>);
  batch<F> tasks;
  for (auto&& f : callables) {
    if constexpr (copies)
      tasks.push_back(std::make_unique<detail::detached_task<F>>(F(f)));
    else
      tasks.push_back(std::make_unique<detail::detached_task<F>>(F(std::move(f))));
    detail::require_callable(tasks.back()->function(), "submit_batch");
  }
  if (tasks.empty()) return;
  for (std::size_t i = 1; i < tasks.size(); ++i) tasks[i - 1]->next = tasks[i].get();
  for (const auto& t : tasks) t->given();
  hand_over<F>(tasks, detail::call_hidden<&detail::submit_chain_unless_retired>(
                          *core_, tasks.front().get(), tasks.back().get(), tasks.size()));
}

template <detail::visitor F>
decltype(auto) pool::install(F&& f) {
  using R = std::invoke_result_t<F&>;
  static_assert(std::is_void_v<R> || std::is_reference_v<R> || std::is_move_constructible_v<R>,
                "install() moves the result to its caller, so what `f` returns must be movable");
  detail::require_callable(f, "install");
  if (detail::installs_in_place(*core_)) {
    const detail::guest_stay here = detail::guest_stay::in_place(*core_);
    return static_cast<R>(f());
  }
  detail::visiting_task<std::remove_reference_t<F>> task(f);
  task.given();
  if (!detail::call_hidden<&detail::submit_to_worker_unless_retired>(*core_, &task))
    return static_cast<R>(f());
  detail::await(task.done);
  if constexpr (std::is_void_v<R>)
    task.result.take();
  else
    return static_cast<R>(task.result.take());
}

template <detail::broadcast_function F>
void pool::broadcast(F f) {
  detail::require_callable(f, "broadcast");
  const auto on_worker = [shared = std::make_shared<F>(std::move(f))](std::size_t index) {
    return [shared, index] {
      (void)index;  // unused if f takes none
      if constexpr (std::invocable<F&, std::size_t>)
        (*shared)(index);
      else
        (*shared)();
    };
  };
  using once = decltype(on_worker(0));
  batch<once> tasks;
  std::vector<detail::listed_job*> jobs;
  for (std::size_t i = 0; i < size(); ++i) {
    tasks.push_back(std::make_unique<detail::detached_task<once>>(on_worker(i)));
    jobs.push_back(tasks.back().get());
    jobs.back()->given();
  }
  hand_over<once>(tasks, detail::call_hidden<&detail::submit_to_each_unless_retired>(*core_, jobs));
}

}  // namespace filch
