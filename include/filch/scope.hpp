// Any number of tasks, and a place to wait for them.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <concepts>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/scope_core.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/future.hpp"
#include "filch/options.hpp"

namespace filch {

/// A group of tasks that end before it does, so that they may use what it could use: captures by
/// reference are safe.
///
/// How       A task spawned by a worker goes into that worker's deque; thieves take the oldest. A
///           task may spawn more into the same scope, to any number.
/// Threads   spawn and async: the thread that made the scope, and its tasks. wait and the
///           destructor: the thread that made it, and not one of its tasks. On a worker waiting
///           runs other jobs; a thread outside of every pool takes part in the pool while it waits.
///           cancel, cancel_at and stop_token: any thread.
/// Memory    What came before spawn() is seen by the task; what the tasks did is seen after wait().
/// Misuse    wait() in one of the scope's own tasks would wait for itself: it throws `usage_error`.
/// Throws    Every task runs, whether or not another threw. wait() throws the first exception that
///           was recorded; `filch::suppressed()` has the others. The destructor waits too, and
///           gives every exception that no wait() delivered to the pool's on_exception; while
///           another exception is on its way, it cancels first.
/// Cancelled by cancel(), by cancel_at(), by options::stop, or by an exception that ends it: tasks
///           that have not started are skipped, those spawned later included, for it stays
///           cancelled. A skipped task's closure is destroyed, its future throws `cancelled` with
///           the reason, and wait() takes it for ended: it returns as usual. Tasks that have
///           started go on; those that want to end early look at stop_token().
/// Isolated  with options::isolate: its tasks run in an isolation region of its own, and wait() and
///           the destructor run only those, and what those spawned. So a lock may be held around
///           the scope that other jobs of the pool want. Whoever runs a task of it, a thief too,
///           waits under that region. An outside thread takes part all the same, with tasks of the
///           scope only; a worker of another pool runs nothing while it waits. Other waits of the
///           code around it (for a future of async(), for room in spawn()) are not meant: put those
///           into filch::isolate(), or a task. Stop, cancelling and priority are as ever. Its tasks
///           must not wait for what was spawned outside and has not started.
/// Life      It may outlive its pool: spawning then throws `pool_closed`, waiting returns at once.
///           A scope made in a task ends before that task does.
/// Fork      In a child that fork() made, a scope made before it throws `usage_error` from spawn,
///           async and wait, and its destructor returns at once: its tasks are the parent's.
/// Cost      A small task that a worker spawns lives in memory which that worker keeps; any other
///           is one allocation. bench/micro/submit has the price. With a deadline each task
///           looks at the clock. Isolated, a task costs another allocation and two turns of a lock.
///
///     filch::scope s;
///     for (auto& part : parts) s.spawn([&] { work_on(part); });
///     s.wait();
class scope {
 public:
  /// On the pool `o.on`; without one on the current pool, else on the default one.
  /// Throws  `usage_error` for options that are not supported; what default_pool() throws.
  scope(const options& o = {})  // NOLINT(*-explicit-*): `scope s = {{.on = &pool}}` is fine
      : core_(detail::registry_for(o.on), o) {
    detail::require_supported(o, "scope");
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  ~scope() = default;

  /// Runs `f` some time before the scope ends.
  /// Throws  `pool_closed` if the pool is closed and the caller is none of its tasks, `usage_error`
  ///         if `f` is an empty function, `std::bad_alloc`. Then `f` will not run.
  template <detail::task_function F>
  void spawn(F f) {
    core_.spawn(std::move(f));
  }

  /// The same, with a future for the result; an exception goes there, and not to wait().
  ///
  ///     filch::future<int> r = s.async([&] { return 42; });
  template <detail::task_function F>
  auto async(F f) -> future<std::invoke_result_t<F&>> {
    return future<std::invoke_result_t<F&>>(core_.async(std::move(f)));
  }

  FILCH_REFUSED_TASK(spawn);
  FILCH_REFUSED_TASK(async);

  /// Waits until all tasks spawned so far have ended, and throws what the first of them threw.
  void wait() { core_.wait(); }

  /// No task of this scope starts any more, on whichever thread has seen the call; one that looked
  /// just before may still be about to start its task. Does not wait. A second time changes
  /// nothing.
  ///
  ///     if (found) s.cancel();  // in a task
  void cancel() noexcept { core_.cancelling().end(detail::course::cancelled); }

  /// The same, from `when` on, by itself: tasks look at the clock as they start. Nothing is
  /// interrupted, and nobody is woken; stop_token() notices the time when a task starts, or when
  /// stop_token() is called. Of several times the earliest counts. A time of another clock than
  /// std::chrono::steady_clock is turned into one of that as it is now: setting that clock later
  /// does not move it.
  ///
  ///     s.cancel_at(std::chrono::steady_clock::now() + 20ms);
  template <class Clock, class Duration>
  void cancel_at(std::chrono::time_point<Clock, Duration> when) {
    using seconds = std::chrono::duration<double>;
    const auto now = Clock::now();
    // Far away times may be too large for an exact difference, and do not need one.
    const seconds rough = seconds(when.time_since_epoch()) - seconds(now.time_since_epoch());
    const bool near = rough > -std::chrono::hours(1) && rough < std::chrono::hours(1);
    core_.cancelling().end_at(near ? detail::deadline_after(when - now)
                                   : detail::deadline_after(rough));
  }

  /// A token of the scope's own, for tasks that can end early. It is asked to stop by whatever
  /// cancels the scope (on the thread that does, or notices it: its callbacks run there).
  /// Throws  `std::bad_alloc`, the first time.
  ///
  ///     s.spawn([token = s.stop_token()] { while (!token.stop_requested()) step(); });
  [[nodiscard]] std::stop_token stop_token() const { return core_.cancelling().token(); }

  /// For the parts of filch that need the inside.
  detail::scope_core& core() noexcept { return core_; }

 private:
  detail::scope_core core_;
};

/// Calls `f` with a scope, waits for its tasks, and returns what `f` returned. `f` itself is called
/// even if options::stop was asked to stop: only tasks are skipped. With options::isolate `f` is in
/// the region of the scope as well, as in filch::isolate().
///
/// Throws   What `f` threw: then tasks that have not started are skipped, and `filch::suppressed()`
///          has what the others threw. Else like scope::wait(). Also like the constructor of scope.
/// Threads  Any; `f` runs on the calling one.
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

}  // namespace filch
