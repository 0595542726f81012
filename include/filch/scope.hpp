// Any number of tasks, and a place to wait for them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/scope_core.hpp"
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
/// Memory    What came before spawn() is seen by the task; what the tasks did is seen after wait().
/// Throws    Every task runs, whether or not another threw. wait() throws the first exception that
///           was recorded; `filch::suppressed()` has the others. The destructor waits too, and
///           gives every exception that no wait() delivered to the pool's on_exception; while
///           another exception is on its way, tasks that have not started are skipped, and the
///           futures of skipped ones throw `cancelled`.
/// Life      It may outlive its pool: spawning then throws `pool_closed`, waiting returns at once.
///           A scope made in a task ends before that task does.
/// Fork      In a child that fork() made, a scope made before it throws `usage_error` from spawn,
///           async and wait, and its destructor returns at once: its tasks are the parent's.
/// Cost      A small task that a worker spawns lives in memory which that worker keeps; any other
///           is one allocation. bench/micro/submit has the price.
///
///     filch::scope s;
///     for (auto& part : parts) s.spawn([&] { work_on(part); });
///     s.wait();
class scope {
 public:
  /// On the pool `o.on`; without one on the current pool, else on the default one.
  /// Throws  `usage_error` for options that are not supported; what default_pool() throws.
  scope(const options& o = {})  // NOLINT(*-explicit-*): `scope s = {{.on = &pool}}` is fine
      : core_(detail::registry_for(o.on)) {
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

  /// Waits until all tasks spawned so far have ended, and throws what the first of them threw.
  void wait() { core_.wait(); }

  /// For the parts of filch that need the inside.
  detail::scope_core& core() noexcept { return core_; }

 private:
  detail::scope_core core_;
};

/// Calls `f` with a scope, waits for its tasks, and returns what `f` returned.
///
/// Throws   What `f` threw: then tasks that have not started are skipped, and `filch::suppressed()`
///          has what the others threw. Else like scope::wait(). Also like the constructor of scope.
/// Threads  Any; `f` runs on the calling one.
///
///     filch::scoped([&](filch::scope& s) { s.spawn(a); s.spawn(b); });
template <std::invocable<scope&> F>
auto scoped(F&& f, const options& o = {}) -> std::invoke_result_t<F&, scope&> {
  scope s(o);
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
