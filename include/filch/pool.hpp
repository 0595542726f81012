// A pool of workers, and the default one.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/sched/registry.hpp"
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
///           first out. Idle workers sleep and use no CPU.
/// Threads   Every function is for any thread, unless it says otherwise.
/// Memory    What came before a submission is seen by the task; what a task did is seen by whoever
///           waits for it.
/// Errors    An exception in a task never ends a worker: it goes to the future, or to on_exception.
///
///     filch::pool pool({.threads = 4, .name = "render"});
///     filch::future<int> answer = pool.submit([] { return 42; });
///     pool.detach([] { log("hello"); });
///     pool.wait_idle();
class pool {
 public:
  /// Starts `threads` workers; 0 means choose (pool_options::threads).
  /// Throws  `usage_error` for options that cannot be met, naming the value; `std::system_error` if
  ///         a thread cannot be started, and then none is left running.
  explicit pool(std::size_t threads) : pool(pool_options{.threads = threads}) {}
  explicit pool(pool_options settings = {});
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Closes, runs everything that was accepted, and joins the threads. On a worker of this pool it
  /// aborts with a message: it would have to wait for itself.
  ~pool();

  /// The number of workers.
  std::size_t size() const noexcept { return core_->size(); }

  /// Runs `f` on a worker. The future has what it returns or throws.
  /// Throws  `pool_closed` after close(), `usage_error` if `f` is an empty function,
  ///         `std::bad_alloc`. Then `f` was not accepted and will not run.
  template <detail::task_function F>
  auto submit(F&& f, const options& o = {}) -> future<std::invoke_result_t<std::decay_t<F>&>> {
    detail::require_supported(o, "submit");
    return future<std::invoke_result_t<std::decay_t<F>&>>(
        detail::submit_to<std::decay_t<F>>(*core_, std::forward<F>(f), "submit"));
  }

  /// Runs `f` on a worker; nobody waits for it but wait_idle() and the destructor. What it throws
  /// goes to on_exception. Throws like submit().
  template <detail::task_function F>
  void detach(F&& f, const options& o = {}) {
    detail::require_supported(o, "detach");
    detail::detach_to<std::decay_t<F>>(*core_, std::forward<F>(f), "detach");
  }

  /// detach() for every callable of a range, in one go: all are accepted, or none. They are moved
  /// from an rvalue range, else copied.
  template <detail::task_range R>
  void submit_batch(R&& callables);

  /// Calls `f` on a worker of this pool, waits, and returns or throws what it did. On a worker of
  /// this pool `f` is called directly. Free functions inside use this pool.
  template <class F>
  decltype(auto) install(F&& f);

  /// Calls f(), or f(worker_index), exactly once on every worker. Returns at once; wait_idle()
  /// waits for it. Throws like submit().
  template <class F>
  void broadcast(F f);

  /// Waits until everything accepted has ended.
  /// Throws  `usage_error` on a worker of this pool.
  void wait_idle() { (void)core_->wait_idle_until(std::chrono::steady_clock::time_point::max()); }

  /// The same for at most `time`. True if the pool was idle.
  template <class Rep, class Period>
  bool wait_idle_for(std::chrono::duration<Rep, Period> time) {
    return core_->wait_idle_until(detail::deadline_after(time));
  }

  /// From now on submissions from outside throw `pool_closed`; this pool's own tasks may still
  /// submit until it is empty. Does not wait.
  void close() noexcept { core_->close(); }

  /// What its workers have done so far.
  filch::metrics metrics() const;

  /// Prints what every worker is doing: for a program that seems stuck.
  void dump(std::ostream& out) const { core_->dump(out); }

  /// For the parts of filch that need the inside.
  const std::shared_ptr<detail::registry>& core() const noexcept { return core_; }

 private:
  std::shared_ptr<detail::registry> core_;
};

/// The pool that free functions use outside of every pool. Made on first use. At exit it runs
/// everything accepted (unless a task of its own called exit()); calls after that run on their
/// callers.
pool& default_pool();

/// How the default pool will be made. Throws `usage_error` if it exists already: shut it down
/// first.
void configure_default_pool(pool_options settings);

/// Runs everything accepted by the default pool and ends its threads. The next use makes it again.
/// No other thread may be using it. On one of its own workers it aborts with a message.
void shutdown_default_pool();

template <detail::task_range R>
void pool::submit_batch(R&& callables) {
  using F = std::ranges::range_value_t<R>;
  std::vector<std::unique_ptr<detail::detached_task<F>>> tasks;
  for (auto&& f : callables) {
    if constexpr (std::is_lvalue_reference_v<R> || std::ranges::view<std::remove_cvref_t<R>>)
      tasks.push_back(std::make_unique<detail::detached_task<F>>(F(f)));
    else
      tasks.push_back(std::make_unique<detail::detached_task<F>>(std::move(f)));
    detail::require_callable(tasks.back()->function(), "submit_batch");
  }
  if (tasks.empty()) return;
  if (core_->retired() && !core_->is_current()) {
    for (auto& t : tasks) t->run_here(*core_);
    return;
  }
  for (std::size_t i = 1; i < tasks.size(); ++i) tasks[i - 1]->next = tasks[i].get();
  core_->submit_chain(tasks.front().get(), tasks.back().get(), tasks.size());
  for (auto& t : tasks) (void)t.release();
}

template <class F>
decltype(auto) pool::install(F&& f) {
  using R = std::invoke_result_t<F&>;
  const detail::worker* const w = detail::worker::current();
  if (core_->retired() || (core_->is_current() && !w->is_guest())) return static_cast<R>(f());
  detail::visiting_task<std::remove_reference_t<F>> task(f);
  core_->submit_to_worker(&task);
  detail::wait_for(task.done);
  if constexpr (std::is_void_v<R>)
    task.result.take();
  else
    return static_cast<R>(task.result.take());
}

template <class F>
void pool::broadcast(F f) {
  detail::require_callable(f, "broadcast");
  const auto shared = std::make_shared<F>(std::move(f));
  const auto once = [shared] {
    if constexpr (std::invocable<F&, std::size_t>)
      (*shared)(detail::worker::current()->index());
    else
      (*shared)();
  };
  using task = detail::detached_task<std::remove_const_t<decltype(once)>>;
  std::vector<std::unique_ptr<task>> tasks;
  std::vector<detail::listed_job*> jobs;
  for (std::size_t i = 0; i < size(); ++i) {
    tasks.push_back(std::make_unique<task>(std::remove_const_t<decltype(once)>(once)));
    jobs.push_back(tasks.back().get());
  }
  core_->submit_to_each(jobs);
  for (auto& t : tasks) (void)t.release();
}

}  // namespace filch
