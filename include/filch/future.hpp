// A result that is on its way.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch {

namespace detail {

template <class T>
class future_awaiter;

}  // namespace detail

// The attribute is here and not on the definition, which clang-format could not read with it.
template <class T>
class [[nodiscard(
    "filch: with its future the exception of a task is lost: detach(f) gives it to "
    "on_exception; (void) drops the future all the same")]] future;

/// The result of a task, once there is one. Move-only.
///
/// How       Dropping a future neither waits for the task nor cancels it; an exception of the task
///           is then discarded (so the compiler warns: detach() is for tasks that nobody waits
///           for, (void) for the rest). Waiting on a worker runs other jobs meanwhile and never
///           blocks the worker while there are any; on a thread outside of every pool it sleeps.
/// Threads   Any, one at a time.
/// Memory    What the task did is seen once ready() or wait_for() was true, or get() or wait() is
///           over.
/// Life      It may outlive its pool. The task is gone when it has ended, the result with the last
///           of task and future.
/// Fork      In a child that fork() made, a result that was there is there. Waiting for one that
///           was not, or following it, throws `usage_error`: only the parent has the task.
/// Follow    Instead of waiting, go on with the result: then(), `when_all` and `when_any`
///           (filch/when.hpp), or co_await. Each takes the future's place: it is not valid any
///           more.
/// Cost      None beyond the task's one allocation.
///
///     filch::future<int> f = pool.submit([] { return 42; });
///     use(f.get());
///     auto shown = pool.submit(load).then(parse).then([](document d) { show(d); });
template <class T>
class future {
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
  [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }

  /// Waits, then returns the result or throws what the task threw. Once.
  /// Throws  `usage_error` if called a second time.
  T get() {
    detail::future_state<T>& s = awaited("get");
    detail::wait_for(s.done, &s);
    const future last(std::move(*this));  // lets go when the value has been moved out
    if constexpr (std::is_void_v<T>)
      last.state_->result.take();
    else
      return last.state_->result.take();
  }

  /// Waits until there is a result. Throws `usage_error` after get().
  void wait() {
    detail::future_state<T>& s = awaited("wait");
    detail::wait_for(s.done, &s);
  }

  /// Waits at most for `time`. True if there is a result. On a worker it helps, and may overrun by
  /// one job. Throws `usage_error` after get().
  template <class Rep, class Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) {
    detail::future_state<T>& s = awaited("wait_for");
    return detail::wait_for_until(s.done, detail::deadline_after(time), &s);
  }

  /// Is there a result? Throws `usage_error` after get().
  [[nodiscard]] bool ready() const { return state("ready").done.probe(); }

  /// Calls `f` with the result (with nothing, for void) when there is one, as a task of its own. If
  /// the task threw, or was cancelled, `f` is skipped, and the exception goes on to what is
  /// returned. Afterwards this future is not valid; dropping what is returned changes nothing.
  ///
  /// Returns  The future of what `f` returns or throws.
  /// Throws   `usage_error` after get(), or if `f` is an empty function; `std::bad_alloc`. Then
  ///          this future is as before. Once it has returned, `f` cannot get lost for lack of
  ///          memory.
  /// Runs     Never inside of then() or of the task before it, and never under a lock, but as a
  ///          task of the pool in which that task ends: it goes into the deque of the worker, or
  ///          the outside thread that takes part, which has run it, and that pool's wait_idle() and
  ///          destructor wait for `f` too. If the task has ended already: of the current pool, else
  ///          of the default one, as if submitted; and only if that has stopped, is closed, or
  ///          cannot be made, on the calling thread, before then() returns.
  /// Memory   What the task did, and what came before then(), is seen by `f`.
  /// Cost     One allocation. The task before it pays nothing. A chain may have any length, and
  ///          needs no stack, neither to run nor to be destroyed.
  ///
  ///     filch::future<std::size_t> size = pool.submit(read_file).then(&std::string::size);
  template <class F>
  requires detail::then_function<F, T>
  auto then(F&& f) -> future<detail::then_result_t<std::decay_t<F>, T>> {
    using task = detail::then_task<std::decay_t<F>, T>;
    (void)awaited("then");
    detail::require_callable(f, "future::then");
    auto* const next = new task(std::decay_t<F>(std::forward<F>(f)));
    future<detail::then_result_t<std::decay_t<F>, T>> result(*next);
    next->follow(*release());
    return result;
  }
  template <class F>
  requires(!detail::then_function<F, T>) FILCH_REFUSED(
      "filch: then(f): f must be callable with what the task returns, or without arguments if "
      "that is void, and be movable",
      then(F&&));

  /// In a coroutine of any type: waits without a thread, and gives what get() would. If there is a
  /// result already, the coroutine just goes on; else it goes on where a continuation would run
  /// (see then()), which may be another thread. An exception that leaves the coroutine there goes
  /// to on_exception. Afterwards this future is not valid. The coroutine must not be destroyed
  /// while it waits.
  /// Throws  `usage_error` after get().
  /// Cost    No allocation.
  ///
  ///     const int answer = co_await pool.submit([] { return 42; });
  detail::future_awaiter<T> operator co_await() {
    (void)awaited("operator co_await");
    return detail::future_awaiter<T>(std::move(*this));
  }

  /// For the parts of filch that make futures.
  explicit future(detail::future_state<T>& state) noexcept : state_(&state) {
    static_assert(
        std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
        "get() moves the result out of the future, so what a task returns must be movable");
  }
  /// For those that follow several: is there a result, or can one still come? Not in a child of
  /// fork(), for a task of the parent. It must be valid.
  bool can_come() const noexcept { return state_->can_come(); }
  /// For those that follow it: the state, with this future's share. Null if there is none.
  detail::future_state<T>* release() noexcept { return std::exchange(state_, nullptr); }

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
  friend class detail::future_awaiter<T>;

  detail::future_state<T>* state_ = nullptr;
};

namespace detail {

/// A coroutine that waits for a future.
template <class T>
class [[nodiscard]] future_awaiter final : public resumption {
 public:
  explicit future_awaiter(future<T>&& from) noexcept : from_(std::move(from)) {}

  bool await_ready() const noexcept { return from_.state_->done.probe(); }
  template <class Handle>
  [[gnu::noinline]] bool await_suspend(Handle coroutine) noexcept {  // as in schedule_awaiter
    remember(coroutine);
    return from_.state_->done.try_follow(*this);  // if true, the frame with `this` may be gone
  }
  T await_resume() { return from_.get(); }

 private:
  future<T> from_;
};

}  // namespace detail

}  // namespace filch
