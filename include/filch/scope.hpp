// Scopes: any number of tasks, and one object to wait for them.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <concepts>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/scope_core.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/future.hpp"
#include "filch/options.hpp"

namespace filch {

/// A group of tasks that all end before the scope ends. So a task may capture by reference whatever
/// outlives the scope.
///
/// How       A task that a worker spawns goes into the deque of that worker; thieves take the
///           oldest. A task may spawn any number of further tasks into the same scope.
/// Threads   spawn and async: the maker and the scope's tasks. wait and the destructor: the maker
///           only, and not inside a task of the scope. A worker that waits runs other jobs. A
///           thread outside of every pool takes part in the pool as a guest while it waits: it runs
///           tasks of this scope and what they spawn, and nothing else. If the scope has a
///           priority, that thread sleeps instead. If its pool has a queue_limit, and queue_limit
///           of the maker's tasks wait, spawn runs one of them first. cancel, cancel_at and
///           stop_token: any thread.
/// Memory    A task sees what came before spawn(). The maker sees what the tasks did after wait().
/// Misuse    A task of the scope that calls wait() would wait for itself: wait() throws
///           `usage_error`, also in a function that the task calls by another pool's install(). If
///           a worker of the pool made the scope, without options::isolate, wait() throws on every
///           other thread. filch does not notice an indirect wait: the task joins, or gets a future
///           of, code that calls wait(), and the scope was made outside of its pool or is isolated.
///           Then wait() never returns.
/// Throws    Every task runs, whether or not another one threw. wait() throws the exception that
///           was recorded first; `filch::suppressed()` has the others. The destructor waits too. It
///           gives every exception that no wait() delivered to the pool's on_exception. If it runs
///           because of another exception, it cancels the scope first.
/// Cancelled by cancel(), by cancel_at(), by options::stop, or by an exception that ends the scope.
///           Tasks that have not started are skipped. The scope stays cancelled, so tasks that are
///           spawned later are skipped too. The closure of a skipped task is destroyed, and its
///           future throws `cancelled` with the reason. wait() counts the task as ended and returns
///           as usual. Tasks that have started go on; a task that wants to end early asks
///           stop_token().
/// Isolated  with options::isolate. The tasks run in an isolation region of the scope. wait() and
///           the destructor run only those tasks and what those spawned. So the caller may hold a
///           lock around the scope that other jobs of the pool want. Every thread that runs a task
///           of the scope, also a thief, waits under that region. An outside thread takes part all
///           the same, but runs only tasks of the scope. A worker of another pool runs nothing
///           while it waits. Other waits of the surrounding code are not isolated (for a future of
///           async(), to be admitted in spawn()): put them into filch::isolate() or into a task.
///           Stopping, cancelling and priority work as without isolation. A task of the scope must
///           not wait for a task that was spawned outside of the region and has not started.
/// Life      A scope may outlive its pool: then spawning throws `pool_closed`, and waiting returns
///           at once. A scope that is made in a task ends before that task does.
/// Fork      In a child that fork() made, spawn, async and wait throw `usage_error` for a scope
///           that was made before the fork. Its destructor returns at once. Its tasks belong to the
///           parent.
/// Cost      A small task that a worker spawns, or that an outside thread spawns into a scope of
///           its own, lives in memory which the pool keeps. Any other task is one allocation.
///           bench/micro/submit measures it. With a deadline, each task reads the clock. In an
///           isolated scope, a task costs one more allocation and takes a lock twice.
///
///     filch::scope s;
///     for (auto& part : parts) s.spawn([&] { work_on(part); });
///     s.wait();
class scope {
 public:
  /// Makes a scope on the pool `o.on`; if that is null, on the current pool, or else on the default
  /// pool.
  /// Throws  `usage_error` for options that are not supported; what default_pool() throws.
  scope(const options& o = {})  // NOLINT(*-explicit-*): `scope s = {{.on = &pool}}` is fine
      : core_(detail::msan_returned(detail::registry_for(o.on)), o) {
    detail::msan_written(core_);
    detail::require_supported_by_scope(o);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() { core_.before_end(); }

  /// Runs `f` as a task, at some time before the scope ends.
  /// Throws  `pool_closed` if the pool is closed and the caller is not one of its tasks;
  ///         `usage_error` if `f` is an empty function; `std::bad_alloc`. In each case `f` will not
  ///         run.
  template <detail::task_function F>
  void spawn(F f) {
    core_.spawn(std::move(f));
  }

  /// Spawns `f` and returns a future for its result. An exception of `f` goes to the future, and
  /// not to wait().
  ///
  ///     filch::future<int> r = s.async([&] { return 42; });
  template <detail::task_function F>
  auto async(F f) -> future<std::invoke_result_t<F&>> {
    return future<std::invoke_result_t<F&>>(core_.async(std::move(f)));
  }

  FILCH_REFUSED_TASK(spawn);
  FILCH_REFUSED_TASK(async);
  FILCH_REFUSED_OPTIONS_OF_TASK(spawn);
  FILCH_REFUSED_OPTIONS_OF_TASK(async);

  /// Waits until all tasks spawned so far have ended. Throws the exception that was recorded first.
  void wait() { (void)core_.wait_until(detail::scope_core::for_ever); }

  /// The same, at most for `time` or until `when`; a job that the thread runs meanwhile may make it
  /// late. Returns true if all tasks have ended. Returns false if not; then it throws nothing, and
  /// the scope goes on as before.
  ///
  ///     while (!s.wait_for(100ms)) show_progress();
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> time) {
    return core_.wait_until(detail::deadline_after(time));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool wait_until(std::chrono::time_point<Clock, Duration> when) {
    return core_.wait_until(detail::deadline_at(when));
  }

  /// Cancels the scope. A thread that has seen the call starts no further task of it; a thread that
  /// looked just before may still start one. The call does not wait. A second call changes nothing.
  ///
  ///     if (found) s.cancel();  // in a task
  void cancel() noexcept { core_.cancelling().end(detail::phase::cancelled); }

  /// Cancels the scope at the time `when`. A task reads the clock when it starts. No task is
  /// interrupted, and no thread is woken. The token is asked to stop when, after that time, a task
  /// starts or stop_token() is called. If there are several times, the earliest counts. A time of
  /// another clock is converted to std::chrono::steady_clock at the call, so setting that other
  /// clock later does not move it.
  ///
  ///     s.cancel_at(std::chrono::steady_clock::now() + 20ms);
  template <class Clock, class Duration>
  void cancel_at(std::chrono::time_point<Clock, Duration> when) {
    core_.cancelling().end_at(detail::deadline_at(when));
  }

  /// Returns a stop token of this scope, for tasks that can end early. Whatever cancels the scope
  /// also asks the token to stop. The callbacks of the token run on the thread that cancels, or
  /// that notices the cancellation.
  /// Throws  `std::bad_alloc`, the first time.
  ///
  ///     s.spawn([token = s.stop_token()] { while (!token.stop_requested()) step(); });
  [[nodiscard]] std::stop_token stop_token() const { return core_.cancelling().token(); }

  /// Internal: for the parts of filch that need the core.
  detail::scope_core& core() noexcept { return core_; }

 private:
  detail::scope_core core_;
};

/// Calls `f` with a scope, waits for the tasks of the scope, and returns what `f` returned. `f`
/// itself is called even if options::stop was asked to stop: only tasks are skipped. With
/// options::isolate, `f` runs in the region of the scope, as in filch::isolate().
///
/// Throws   What `f` threw. Then tasks that have not started are skipped, and `filch::suppressed()`
///          has what other tasks threw. Otherwise what scope::wait() throws, and what the
///          constructor of scope throws.
/// Threads  Any; `f` runs on the calling thread.
///
///     filch::scoped([&](filch::scope& s) { s.spawn(a); s.spawn(b); });
template <std::invocable<scope&> F>
auto scoped(F&& f, const options& o = {}) -> std::invoke_result_t<F&, scope&> {
  scope s(o);
  std::optional<detail::in_region> here;
  if (o.isolate) here.emplace(s.core().where_to_wait());
  const auto call = [&]() -> std::invoke_result_t<F&, scope&> {
    try {
      return f(s);
    } catch (...) {
      s.core().wait_after(detail::caught::current());
    }
  };
  if constexpr (std::is_void_v<std::invoke_result_t<F&, scope&>>) {
    call();
    s.wait();
  } else {
    auto&& result = call();
    s.wait();
    return static_cast<decltype(result)>(result);
  }
}

FILCH_REFUSED_OPTIONS_FIRST(scoped, "options come last, after the function: scoped(f, options)");

}  // namespace filch
