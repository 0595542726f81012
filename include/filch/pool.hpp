// A pool of workers, and the default one.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/metrics.hpp"
#include "filch/options.hpp"

namespace filch {

/// Threads that share work by stealing it from each other.
///
/// How       Each worker has a deque: what its tasks submit goes there, and comes out newest first;
///           others steal the oldest. What comes from outside goes through an injector, first in,
///           first out, of which there is one for each priority. Idle workers sleep and use no CPU.
/// Threads   Every function is for any thread, unless it says otherwise. A task runs on a worker or
///           on an outside thread that takes part while it waits (see join and scope).
/// Memory    What came before a submission is seen by the task; what a task did is seen by whoever
///           waits for it.
/// Errors    An exception in a task never ends a worker: it goes to the future, or to on_exception.
///           A call that throws for reasons of its own has accepted nothing, and changed nothing.
/// Fork      In a child that fork() made the threads of an inherited pool do not exist. Whatever
///           needs them throws `usage_error` there: submissions, install, broadcast, waiting,
///           scopes on it. size(), metrics() and dump() say how things were, close() does nothing,
///           and the destructor returns at once and leaves everything alone. Pools made in the
///           child are like any others. If a worker called fork(), the child's thread is no worker;
///           it has a worker's signal mask, and if pinned its CPU. What the child must not do is
///           return into a task, join or scope that the fork was called in: that aborts with a
///           message, or throws; use _exit() or exec. Noticed are calls of fork() on glibc; not
///           those of _Fork() and bare system calls. POSIX promises a child of threads nothing of
///           all this.
/// Cost      One allocation per task. From outside a submission is two compare-exchanges, and a
///           system call if a worker sleeps. bench/micro/submit has the prices.
///
///     filch::pool pool({.threads = 4, .name = "render"});
///     filch::future<int> answer = pool.submit([] { return 42; });
///     pool.detach([] { log("hello"); });
///     pool.wait_idle();
class pool {
 public:
  /// Starts `threads` workers; 0 means choose (pool_options::threads).
  /// Throws  `usage_error` for options, or a FILCH_NUM_THREADS, that cannot be met, naming the
  ///         value; `std::system_error` if a thread cannot be started, and then none is left
  ///         running; `std::bad_alloc`.
  explicit pool(std::size_t threads) : pool(pool_options{.threads = threads}) {}
  explicit pool(pool_options settings = {});
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Closes, runs everything that was accepted, waits for outside threads that take part, and joins
  /// the threads. On a worker of another pool it helps that one meanwhile. On a worker of this pool
  /// it aborts with a message: it would have to wait for itself. In a child that inherited it by
  /// fork() it does nothing.
  ~pool();

  /// The number of workers.
  [[nodiscard]] std::size_t size() const noexcept { return detail::worker_count(*core_); }

  /// Runs `f`, unless options::stop is asked to stop before that: then the future throws
  /// `cancelled`. Otherwise it has what `f` returns or throws; a result must be movable. If as many
  /// outside jobs wait as queue_limit allows, it waits for room; a worker of another pool helps
  /// that one meanwhile.
  /// Throws  `pool_closed` after close(), also if that comes while it waits for room; `usage_error`
  ///         if `f` is an empty function or an option is not supported; `std::bad_alloc`. Then `f`
  ///         was not accepted and will not run.
  ///
  ///     filch::future<int> answer = pool.submit([] { return 42; });
  template <detail::task_function F>
  auto submit(F&& f, const options& o = {}) -> future<std::invoke_result_t<std::decay_t<F>&>> {
    require_own(o, "submit");
    return future<std::invoke_result_t<std::decay_t<F>&>>(
        detail::submit_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "submit"));
  }

  /// submit(), but nothing instead of waiting for room; then `f` has not been touched. The pool's
  /// own tasks always get a future. Throws like submit().
  ///
  ///     if (auto answer = pool.try_submit(ask)) use(answer->get());
  template <detail::task_function F>
  [[nodiscard]] auto try_submit(F&& f, const options& o = {})
      -> std::optional<future<std::invoke_result_t<std::decay_t<F>&>>> {
    require_own(o, "try_submit");
    detail::reservation place(*core_);
    if (!place) return std::nullopt;
    return future<std::invoke_result_t<std::decay_t<F>&>>(
        detail::submit_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "try_submit", &place));
  }

  /// Runs `f`, unless options::stop is asked to stop before that. Nobody waits for it but
  /// wait_idle() and the destructor. What it throws goes to on_exception. It waits for room, and
  /// throws, like submit().
  template <detail::task_function F>
  void detach(F&& f, const options& o = {}) {
    require_own(o, "detach");
    detail::detach_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "detach");
  }

  /// detach(), but false instead of waiting for room; then `f` has not been touched. Throws like
  /// submit().
  template <detail::task_function F>
  [[nodiscard]] bool try_detach(F&& f, const options& o = {}) {
    require_own(o, "try_detach");
    detail::reservation place(*core_);
    if (!place) return false;
    detail::detach_to<std::decay_t<F>>(*core_, std::forward<F>(f), o, "try_detach", &place);
    return true;
  }

  /// detach() for every callable of a range, in one go: all are accepted, or none. They are moved
  /// from an rvalue range (also if they are then refused), else copied. It waits for room, and
  /// throws, like submit(): the whole batch enters as soon as there is room for one of them.
  ///
  ///     std::vector<std::function<void()>> chores = {sweep, mop};
  ///     pool.submit_batch(chores);
  template <detail::task_range R>
  void submit_batch(R&& callables);

  /// Calls `f` on a worker of this pool, waits, and returns or throws what it did. On a worker of
  /// this pool `f` is called directly, and so it is on a guest in an isolation region, which it
  /// must not leave. Free functions inside use this pool. A worker of another pool runs that one's
  /// jobs while it waits.
  /// Throws  also `pool_closed` after close(), from outside; `usage_error` if `f` is an empty
  ///         function.
  /// Cost    No allocation.
  ///
  ///     pool.install([&] { filch::join(left, right); });
  template <detail::visitor F>
  decltype(auto) install(F&& f);

  /// Calls f(worker_index), or f() if it takes no index, exactly once on every worker. A worker
  /// runs broadcasts in the order in which they were made, before other work. One object for all:
  /// the calls overlap. Returns at once; wait_idle() waits for it. What `f` throws goes to
  /// on_exception. Throws like submit().
  ///
  ///     pool.broadcast([](std::size_t worker) { warm_up_caches(worker); });
  template <detail::broadcast_function F>
  void broadcast(F f);

  /// For a coroutine of any type: `co_await pool.schedule()` goes on on a worker of this pool, as a
  /// task that wait_idle() and the destructor wait for until it pauses again or ends. On a worker
  /// of this pool it makes room for other work. An exception that leaves the coroutine there goes
  /// to on_exception. The coroutine must not be destroyed before it goes on.
  /// Throws  In the coroutine, which then has not moved: `pool_closed` after close(), from outside.
  ///         After main the default pool throws nothing, and the coroutine goes on where it is.
  /// Cost    No allocation.
  ///
  ///     co_await pool.schedule();
  detail::schedule_awaiter schedule() noexcept { return detail::schedule_awaiter(core_); }

  /// Waits until everything accepted has ended, closures destroyed included. On a worker of another
  /// pool it helps that one meanwhile.
  /// Throws  `usage_error` in a task of this pool, which would wait for itself; `std::bad_alloc`.
  void wait_idle() { (void)wait_idle_until(std::chrono::steady_clock::time_point::max()); }

  /// The same for at most `time`. True if the pool was idle, also if `time` is 0 or negative.
  template <class Rep, class Period>
  bool wait_idle_for(std::chrono::duration<Rep, Period> time) {
    return wait_idle_until(detail::deadline_after(time));
  }

  /// From now on submissions from outside throw `pool_closed`; this pool's own tasks may still
  /// submit until it is empty. Does not wait, and a second time changes nothing; nor does it in a
  /// child that inherited the pool by fork().
  void close() noexcept;

  /// What its workers have done so far. While they work the counts are of slightly different
  /// moments.
  [[nodiscard]] filch::metrics metrics() const {
    const detail::measured_pool m = detail::measure(*core_);
    return {{m.workers.begin(), m.workers.end()}, m.guests, m.spares, m.elapsed_ns};
  }

  /// Prints what every worker is doing (running, searching, sleeping, blocked), how many jobs
  /// lie in its deque, and whom it stole from last: for a program that seems stuck.
  void dump(std::ostream& out) const { detail::dump(*core_, out); }

  FILCH_REFUSED_TASK(submit);
  FILCH_REFUSED_TASK(try_submit);
  FILCH_REFUSED_TASK(detach);
  FILCH_REFUSED_TASK(try_detach);
  FILCH_REFUSED_OPTIONS_FIRST(submit);
  FILCH_REFUSED_OPTIONS_FIRST(try_submit);
  FILCH_REFUSED_OPTIONS_FIRST(detach);
  FILCH_REFUSED_OPTIONS_FIRST(try_detach);

  /// For the parts of filch that need the inside.
  const std::shared_ptr<detail::registry>& core() const noexcept { return core_; }

 private:
  void require_own(const options& o, const char* who) const;
  template <class F>
  using batch = std::vector<std::unique_ptr<detail::detached_task<F>>>;
  /// The pool has accepted `tasks`; or it has retired, and the caller runs them.
  template <class F>
  void hand_over(batch<F>& tasks, bool accepted);
  bool wait_idle_until(std::chrono::steady_clock::time_point deadline);

  std::shared_ptr<detail::registry> core_;
};

/// The pool that free functions use outside of every pool. Made on first use. At exit it runs
/// everything accepted (unless a task of its own called exit()); calls after that run on their
/// callers. In a child that fork() made it is another one, made on its first use there with the
/// same settings (configure_default_pool() may change them before), and at exit only that one is
/// drained.
/// Throws   On first use, what the constructor of pool throws. The next use tries again.
/// Threads  Any, also several for the first use.
pool& default_pool();

/// How the default pool will be made; the last call before its first use counts. Settings that
/// cannot be met are found by that first use, which throws.
/// Throws   `usage_error` if it exists already: shut it down first.
/// Threads  Any.
///
///     filch::configure_default_pool({.threads = 4, .name = "app"});
void configure_default_pool(pool_options settings);

/// Runs everything accepted by the default pool and ends its threads. The next use makes it again,
/// with the same settings. No other thread may be using it. On one of its own workers it aborts
/// with a message. Without a default pool, and after main, it does nothing.
void shutdown_default_pool();

template <class F>
void pool::hand_over(batch<F>& tasks, bool accepted) {
  for (auto& t : tasks) {
    if (accepted)
      (void)t.release();  // the pool has it
    else
      t->run_here(*core_);
  }
}

template <detail::task_range R>
void pool::submit_batch(R&& callables) {
  using F = std::ranges::range_value_t<R>;
  // What a view shows, or an lvalue holds, is somebody else's; what a view makes is nobody's.
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
  hand_over<F>(tasks, detail::submit_chain_unless_retired(*core_, tasks.front().get(),
                                                          tasks.back().get(), tasks.size()));
}

template <detail::visitor F>
decltype(auto) pool::install(F&& f) {
  using R = std::invoke_result_t<F&>;
  static_assert(std::is_void_v<R> || std::is_reference_v<R> || std::is_move_constructible_v<R>,
                "install() moves the result to its caller, so what `f` returns must be movable");
  detail::require_callable(f, "install");
  if (detail::installs_in_place(*core_)) return static_cast<R>(f());
  detail::visiting_task<std::remove_reference_t<F>> task(f);
  if (!detail::submit_to_worker_unless_retired(*core_, &task)) return static_cast<R>(f());
  detail::wait_for(task.done);
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
  }
  hand_over<once>(tasks, detail::submit_to_each_unless_retired(*core_, jobs));
}

}  // namespace filch
