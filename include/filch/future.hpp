// A result that is on its way.
#pragma once

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch {

/// The result of a task, once there is one. Move-only.
///
/// How       Dropping a future neither waits for the task nor cancels it; an exception of the task
///           is then discarded. Waiting on a worker runs other jobs meanwhile and never blocks the
///           worker while there are any; on a thread outside of every pool it sleeps.
/// Threads   Any, one at a time.
/// Memory    What the task did is seen once ready() or wait_for() was true, or get() or wait() is
///           over.
/// Life      It may outlive its pool. The task is gone when it has ended, the result with the last
///           of task and future.
/// Fork      In a child that fork() made, a result that was there is there. Waiting for one that
/// was
///           not throws `usage_error`: only the parent has the task.
/// Cost      None beyond the task's one allocation.
///
///     filch::future<int> f = pool.submit([] { return 42; });
///     use(f.get());
template <class T>
class [[nodiscard]] future {
 public:
  /// A future without a task: every function but valid() and assignment throws `usage_error`.
  future() noexcept = default;
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future&& other) noexcept {
    future(std::move(other)).swap(*this);
    return *this;
  }
  ~future() {
    if (state_ != nullptr) state_->let_go();
  }

  /// Is there a task whose result has not been taken?
  bool valid() const noexcept { return state_ != nullptr; }

  /// Waits, then returns the result or throws what the task threw. Once.
  /// Throws  `usage_error` if called a second time.
  T get() {
    detail::wait_for(awaited("get").done);
    const future last(std::move(*this));  // lets go when the value has been moved out
    if constexpr (std::is_void_v<T>)
      last.state_->result.take();
    else
      return last.state_->result.take();
  }

  /// Waits until there is a result. Throws `usage_error` after get().
  void wait() { detail::wait_for(awaited("wait").done); }

  /// Waits at most for `time`. True if there is a result. On a worker it helps, and may overrun by
  /// one job. Throws `usage_error` after get().
  template <class Rep, class Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) {
    return detail::wait_for_until(awaited("wait_for").done, detail::deadline_after(time));
  }

  /// Is there a result? Throws `usage_error` after get().
  bool ready() const { return state("ready").done.probe(); }

  /// For the parts of filch that make futures.
  explicit future(detail::future_state<T>& state) noexcept : state_(&state) {
    static_assert(
        std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
        "get() moves the result out of the future, so what a task returns must be movable");
  }

 private:
  detail::future_state<T>& state(const char* what) const {
    if (state_ == nullptr)
      throw usage_error(
          std::string("filch::future::") + what +
          "() was called on a future whose result was already taken by get(), or that "
          "never had a task");
    return *state_;
  }
  detail::future_state<T>& awaited(const char* what) const {
    detail::future_state<T>& s = state(what);
    if (!s.can_come())
      throw usage_error(std::string("filch::future::") + what +
                        "() was called in a child that fork() made, but the task belongs to a pool "
                        "of the parent process: its result will never be there");
    return s;
  }
  void swap(future& other) noexcept { std::swap(state_, other.state_); }

  detail::future_state<T>* state_ = nullptr;
};

}  // namespace filch
