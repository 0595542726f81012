// submit_after and submit_every: tasks that begin at a later time, once or at intervals.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/early_end.hpp"
#include "filch/detail/base/next_due.hpp"
#include "filch/detail/base/refused.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/delayed_task.hpp"
#include "filch/detail/sched/repetition.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/options.hpp"

namespace filch {

// The attribute stands here and not at the definition: clang-format cannot read it there.
class [[nodiscard("filch: a periodic_task that is dropped ends at once: keep it")]] periodic_task;

/// Submits `f` when `time` has passed, and returns its future. `f` is a task of the pool `o.on`; if
/// that is null, of the current pool, or else of the default pool.
///
/// How       One thread of the process waits for the times of all such tasks. It exists while there
///           are any, sleeps until the earliest time, and calls no function that was submitted. If
///           `time` is not more than 0, `f` is submitted at once. `f` never begins early. It begins
///           late if the workers are busy. A task from here does not wait for admission to a queue
///           with a limit.
/// Accepted  The pool accepts `f` when the time comes. Before that, wait_idle() does not wait for
///           `f`. When the pool is closed, by close() or by its destructor, the tasks whose time
///           has not come do not run, and their futures throw `pool_closed` at once. So a pool
///           never waits for a time. The thread that closes the pool runs what follows such a
///           future (then(), recover()). The default pool does the same at exit.
/// Stopping  If options::stop is asked to stop before the time comes, `f` does not run, and the
///           future throws `cancelled` at once, whatever the workers do. The thread that asks
///           destroys `f`. Between the time and the begin of `f`, options::stop does what it does
///           for submit(). At options::deadline, if that comes before the time, the pool accepts
///           the task and skips it, and the future throws `cancelled`.
/// Returns   A future of what `f` returns or throws. Dropping it neither waits for `f` nor cancels
///           it. If it outlives the pool, it keeps the pool's memory and hooks.
/// Throws    `pool_closed` if the pool is closed, or is the default pool after main; `usage_error`
///           if `f` is an empty function, an option is not supported, or the pool has no workers or
///           was inherited by fork(); `std::system_error` if the thread cannot be started;
///           `std::bad_alloc`. In each case `f` will not run.
/// Threads   Any.
/// Memory    `f` sees what came before the call.
/// Fork      A child that fork() made has no timers of the parent: waiting for such a future throws
///           `usage_error`. Timers that are made in the child work.
/// Cost      One allocation and a lock. With n timers, each takes O(log n) steps to begin.
///
///     filch::future<void> timeout = filch::submit_after(5s, [&] { connection.close(); });
template <class Rep, class Period, detail::task_function F>
auto submit_after(std::chrono::duration<Rep, Period> time, F&& f, const options& o = {})
    -> future<std::invoke_result_t<std::decay_t<F>&>> {
  using result = std::invoke_result_t<std::decay_t<F>&>;
  detail::require_supported(o, "submit_after");
  detail::require_callable(f, "submit_after");
  const auto when = std::min(detail::deadline_after(time), o.deadline);
  auto home = detail::msan_returned(detail::registry_for(o.on));
  detail::require_workers(*home, "submit_after");
  auto* const task = new detail::delayed_task<std::decay_t<F>, result>(
      std::decay_t<F>(std::forward<F>(f)), o, std::move(home));
  future<result> begun(*task);
  try {
    task->begin_at(when, o.stop);
  } catch (...) {
    task->let_go();  // the task's share
    throw;
  }
  return begun;
}

/// The handle of a function that is called at intervals: see submit_every(). Move-only. Its
/// destructor ends the calls. It waits for a call that runs or is due. So the function may use any
/// object that is destroyed after the handle.
///
/// Threads   stop(), active(): any. The others: one at a time.
/// Fork      In a child that fork() made, the handle of a function of the parent does nothing.
class periodic_task {
 public:
  /// Makes a handle of nothing, which is not active.
  periodic_task() noexcept = default;
  periodic_task(periodic_task&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  periodic_task& operator=(periodic_task&& other) noexcept {
    periodic_task last(std::move(other));
    std::swap(state_, last.state_);
    return *this;
  }
  /// Does what stop() and wait() do. Inside a call of the function it does not wait. The owner must
  /// hold no lock that a job of the pool needs: see wait().
  ~periodic_task() {
    if (state_ == nullptr) return;
    stop();
    wait();
    state_->let_go();
  }

  /// Ends the calls, and does not wait: a call that runs, or that a worker has just begun, goes on.
  /// So the function itself may call stop(). A second call changes nothing.
  void stop() noexcept {
    if (state_ != nullptr) state_->stop();
  }

  /// Waits until the calls have ended for ever: by stop(), by options::stop or because the pool was
  /// closed. When this returns, no call runs, and the function is destroyed. It waits for a call
  /// that runs, and also for a call that is due, until a worker has taken that out of its queue. So
  /// the caller must hold no lock that a job of the pool needs. A worker helps meanwhile. Inside a
  /// call of the function it returns at once. Do not call wait() in a task that a call of the
  /// function waits for: that is a deadlock.
  void wait() noexcept {
    if (state_ != nullptr) state_->wait();
  }

  /// Returns true if there may be another call, or one runs.
  [[nodiscard]] bool active() const noexcept { return state_ != nullptr && !state_->has_ended(); }

  /// Internal: for submit_every().
  explicit periodic_task(detail::repetition& state) noexcept : state_(&state) {}

 private:
  detail::repetition* state_ = nullptr;
};

/// Calls `f` at intervals of `period`, for the first time after one period, until the handle ends
/// it. Each call is a task of the pool `o.on`; if that is null, of the current pool, or else of the
/// default pool.
///
/// How       Call number n is due n periods after submit_every(), whatever the calls before it
///           took: the times do not drift. Calls never overlap. If a call is not over when the next
///           one is due, or no worker is free, the times that were missed are left out. Each call
///           runs as in isolate(): while `f` waits, its thread runs only jobs that `f` spawned. So
///           no job that it runs meanwhile can destroy the handle. The thread of submit_after()
///           waits for the times.
/// Accepted  The pool accepts a call when it is due: wait_idle() waits for a call that is due or
///           runs, and not for later ones. When the pool is closed, by close() or by its
///           destructor, a call that is due or runs still ends; there are no more calls, and the
///           handle is not active. The default pool does the same at exit.
/// Stopping  options::stop does what periodic_task::stop() does.
/// Errors    An exception of `f` goes to on_exception, as for detach(), and the next call comes at
///           its time. So without an on_exception it ends the program, with a message.
/// Returns   The handle. What `f` returns is discarded.
/// Throws    `usage_error` if `period` is not more than 0, and like submit_after().
/// Threads   Any.
/// Memory    A call sees what came before submit_every(), and what the calls before it did.
/// Fork      As for submit_after().
/// Cost      One allocation, and none for a call.
///
///     filch::periodic_task beat = filch::submit_every(1s, [&] { send_heartbeat(); });
template <class Rep, class Period, detail::task_function F>
periodic_task submit_every(std::chrono::duration<Rep, Period> period, F&& f,
                           const options& o = {}) {
  detail::require_supported(o, "submit_every");
  detail::require_callable(f, "submit_every");
  if (detail::has_deadline(o))
    throw usage_error(
        "filch::submit_every(): options::deadline means nothing here: stop() or options::stop ends "
        "the calls");
  const std::chrono::duration<double> seconds(
      period);  // holds any period, which nanoseconds do not
  if (!(seconds > seconds.zero()))
    throw usage_error("filch::submit_every(): the time between two calls is " +
                      std::to_string(seconds.count()) + " s; it must be more than 0");
  auto home = detail::msan_returned(detail::registry_for(o.on));
  detail::require_workers(*home, "submit_every");
  const auto interval = seconds < detail::longest_interval
                            ? std::chrono::ceil<std::chrono::nanoseconds>(period)
                            : std::chrono::nanoseconds(detail::longest_interval);
  auto* const task = new detail::repeated_task<std::decay_t<F>>(std::decay_t<F>(std::forward<F>(f)),
                                                                std::move(home), interval, o);
  try {
    task->begin(o.stop);
  } catch (...) {
    task->let_go();  // its own share
    task->let_go();  // the handle's
    throw;
  }
  return periodic_task(*task);
}

template <class Rep, class Period, class F>
requires(!detail::task_function<F>) FILCH_REFUSED(
    "filch: submit_after(time, f): f must be movable, and callable without arguments, as an lvalue",
    submit_after(std::chrono::duration<Rep, Period>, F&&, const options& = {}));
template <class Rep, class Period, class F>
requires(!detail::task_function<F>) FILCH_REFUSED(
    "filch: submit_every(period, f): f must be movable, and callable without arguments, as an "
    "lvalue",
    submit_every(std::chrono::duration<Rep, Period>, F&&, const options& = {}));

}  // namespace filch
