// future: the result of a task, which may not be there yet.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/future_fwd.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/recovery.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/unwrapping.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch {

/// The result of a task, which becomes available when the task ends. Move-only.
///
/// How       Dropping a future neither waits for the task nor cancels it. An exception of the task
///           is then discarded. Therefore the compiler warns: use detach() for a task that has no
///           waiter, or (void) to drop the future all the same. A worker that waits runs other jobs
///           meanwhile; it does not block as long as there are any. A thread outside of every pool
///           sleeps.
/// Threads   Any, one at a time.
/// Memory    A thread sees what the task did after ready() or wait_for() returned true, or after
///           get() or wait() returned.
/// Life      A future may outlive its pool. The closure of the task is destroyed when the task has
///           ended. The result lives until the task has ended and the future is gone.
/// Fork      In a child of fork(), a result that existed at the fork can be read. Waiting for any
///           other result, or following it, throws `usage_error`, because only the parent has the
///           task.
/// Follow    Instead of waiting, a program can continue with the result: then(), recover(),
///           `when_all` and `when_any` (filch/when.hpp), or co_await. share() makes a future for
///           several readers. Each of them consumes the future: it is not valid afterwards.
/// Careful   Submitted tasks run on workers. A thread outside of every pool that waits for a task
///           does not run it. While outside threads work in calls of their own on all seats of the
///           pool, the task waits for a seat.
/// Cost      None beyond the one allocation of the task.
///
///     filch::future<int> f = pool.submit([] { return 42; });
///     use(f.get());
///     auto shown = pool.submit(load).then(parse).then([](document d) { show(d); });
template <class T>
class future {
 public:
  /// Makes a future without a task: every function except valid() and assignment throws
  /// `usage_error`.
  future() noexcept = default;
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future&& other) noexcept {
    future(std::move(other)).swap(*this);
    return *this;
  }
  ~future() {
    if (state_ != nullptr) state_->let_go();
  }

  /// Returns true if there is a task whose result has not been taken.
  [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }

  /// Waits, then returns the result or throws what the task threw. It can be called once.
  /// Throws  `usage_error` if called a second time.
  T get() {
    detail::future_state<T>& s = awaited("future::get");
    detail::await(s.done, &s);
    const future last(std::move(*this));  // released after the value has been moved out
    if constexpr (std::is_void_v<T>)
      last.state_->result.take();
    else
      return last.state_->result.take();
  }

  /// Waits until there is a result. Throws `usage_error` after get().
  void wait() {
    detail::future_state<T>& s = awaited("future::wait");
    detail::await(s.done, &s);
  }

  /// Waits for at most `time`, and returns true if there is a result. A worker helps meanwhile, and
  /// may overrun `time` by one job. Throws `usage_error` after get().
  template <class Rep, class Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) {
    detail::future_state<T>& s = awaited("future::wait_for");
    return detail::await_until(s.done, detail::deadline_after(time), &s);
  }

  /// Waits like wait_for(), until the time `when` at most. A time of another clock than
  /// std::chrono::steady_clock is converted at the call, so setting that clock later does not move
  /// the end of the wait. Throws `usage_error` after get().
  ///
  ///     if (!f.wait_until(frame_end)) show_last_frame_again();
  template <class Clock, class Duration>
  bool wait_until(std::chrono::time_point<Clock, Duration> when) {
    detail::future_state<T>& s = awaited("future::wait_until");
    return detail::await_until(s.done, detail::deadline_at(when), &s);
  }

  /// Returns true if there is a result. Throws `usage_error` after get(). It runs nothing: a thread
  /// that polls for what it may have to run itself calls wait_for() with no time.
  [[nodiscard]] bool ready() const { return state("future::ready").done.probe(); }

  /// Calls `f` with the result when there is one, as a task of its own; for void, `f` takes no
  /// argument. If the task threw or was cancelled, `f` is skipped, and the exception goes to the
  /// returned future. Afterwards this future is not valid. Dropping the returned future neither
  /// waits for `f` nor cancels it.
  ///
  /// Returns  A future of what `f` returns or throws. If `f` returns a future, the inner one, the
  ///          returned future is unwrapped: it gets the value or the exception of the inner future
  ///          when that has one. No thread waits for it. An inner future that is not valid gives a
  ///          `usage_error`. (submit() does not unwrap.)
  /// Throws   `usage_error` after get(), or if `f` is an empty function; `std::bad_alloc`. Then
  ///          this future is unchanged. Once then() has returned, a lack of memory cannot lose `f`.
  /// Runs     `f` is a task of the pool in which the task before it ends. It runs after that task,
  ///          never inside it or inside then(), and never under a lock. A worker that ran that task
  ///          puts `f` into its own deque. A guest does so in an isolate(); else it leaves `f` to
  ///          the workers. wait_idle() and the destructor of that pool wait for `f` too. After a
  ///          promise the rule is another: see filch/promise.hpp. If the task has ended already,
  ///          `f` is submitted to the pool in which it ended; if that pool is gone, to the current
  ///          pool, or else to the default pool.
  ///          All this is different only if that pool has no workers, has stopped, is closed or
  ///          cannot be made. Then the thread that makes the result ready runs `f`, inside the task
  ///          or set_value(); if the result is there already, then() runs `f`. If 32 such functions
  ///          are on the stack of that thread, `f` waits until the last of them has returned, or
  ///          until the thread begins to wait: in get(), wait() or wait_for(), but not in ready()
  ///          or blocking(). If that thread is outside of every pool, the next function of the
  ///          chain runs in the default pool, which is made if there is none.
  /// Memory   `f` sees what the task did and what came before then().
  /// Cost     One allocation. The task before it pays nothing. If `f` returns a future whose result
  ///          is not there yet, that result passes through a queue once more. A chain may have any
  ///          length, also if each function returns a future. Neither running nor destroying a
  ///          chain needs stack, except that where no pool takes them at most 32 of its functions
  ///          nest; and again as many in a wait in one of these.
  ///
  ///     filch::future<std::size_t> size = pool.submit(read_file).then(&std::string::size);
  ///     filch::future<page> p = pool.submit(find_address).then(fetch);  // fetch gives a future
  template <class F>
  requires detail::then_function<F, T>
  auto then(F&& f) -> future<detail::unwrapped_t<detail::then_result_t<std::decay_t<F>, T>>> {
    return follow_by<detail::then_task_for<std::decay_t<F>, detail::future_state<T>>>(
        std::forward<F>(f), "future::then");
  }
  template <class F>
  requires(!detail::then_function<F, T>) FILCH_REFUSED(
      "filch: then(f): f must be movable, and callable with the result of the task, or without "
      "arguments if the task returns void",
      then(F&&));

  /// Calls `f` with the exception of the task, as a `std::exception_ptr`, if the task threw or was
  /// cancelled. `f` gives the value in its place, or throws. If there is a value, `f` is skipped,
  /// and the value goes to the returned future. Everything else is as for then().
  ///
  /// Returns  A future of the value of the task, or of what `f` returns or throws. If `f` throws
  ///          the same exception again, `filch::suppressed()` still has the others.
  /// Throws   Like then().
  /// Cost     One allocation.
  ///
  ///     filch::future<config> c = pool.submit(load).recover([](std::exception_ptr) {
  ///       return config();  // the defaults
  ///     });
  template <class F>
  requires detail::recover_function<F, T> future<T> recover(F&& f) {
    return follow_by<detail::recover_task<std::decay_t<F>, T>>(std::forward<F>(f),
                                                               "future::recover");
  }
  template <class F>
  requires(!detail::recover_function<F, T>) FILCH_REFUSED(
      "filch: recover(f): f must be movable, and make a result of the same type as the task from a "
      "std::exception_ptr",
      recover(F&&));

  /// Returns a future that can be copied, for several readers of one result: see
  /// filch/shared_future.hpp, which must be included. Afterwards this future is not valid.
  /// Throws  `usage_error` after get(); `std::bad_alloc`. Then this future is unchanged.
  /// Cost    One allocation.
  ///
  ///     filch::shared_future<config> c = pool.submit(load).share();
  shared_future<T> share() &&;

  /// Waits in a coroutine of any type, without blocking a thread, and gives what get() would. If
  /// there is a result already, the coroutine continues at once. Otherwise it continues where a
  /// continuation would run (see then()), which may be another thread. An exception that leaves the
  /// coroutine there goes to on_exception. Afterwards this future is not valid. The coroutine must
  /// not be destroyed while it waits.
  /// Throws  `usage_error` after get().
  /// Cost    No allocation.
  ///
  ///     const int answer = co_await pool.submit([] { return 42; });
  detail::future_awaiter<T> operator co_await() {
    (void)awaited("future::operator co_await");
    return detail::future_awaiter<T>(std::move(*this));
  }

  /// Internal, for share(): the state, of which the caller will take over this future's share.
  detail::future_state<T>& state_to_share() const { return awaited("future::share"); }
  /// Internal: for the parts of filch that make futures.
  explicit future(detail::future_state<T>& state) noexcept : state_(&state) {
    static_assert(
        std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
        "get() moves the result out of the future, so what a task returns must be movable");
  }
  /// Internal, for functions that follow several futures: returns true if there is a result or one
  /// can still come. In a child of fork() it returns false for an unfinished task of the parent.
  /// The future must be valid.
  bool can_come() const noexcept { return state_->can_come(); }
  /// Internal, for functions that follow the future: gives away the state, with this future's
  /// reference to it. Null if there is none.
  detail::future_state<T>* release() noexcept { return std::exchange(state_, nullptr); }

 private:
  /// Makes a continuation of type `Task`, and gives it this future's share.
  template <class Task, class F>
  auto follow_by(F&& f, const char* what) -> future<typename Task::value_type> {
    (void)awaited(what);
    detail::require_callable(f, what);
    auto* const next = new Task(std::decay_t<F>(std::forward<F>(f)));
    future<typename Task::value_type> result(*next);
    next->follow(*release());
    return result;
  }
  detail::future_state<T>& state(const char* what) const {
    if (state_ == nullptr)
      throw usage_error(
          std::string("filch::") + what +
          "() was called on a future that never had a task, or whose result get() has already "
          "taken");
    return *state_;
  }
  detail::future_state<T>& awaited(const char* what) const {
    detail::future_state<T>& s = state(what);
    if (!s.can_come())
      throw usage_error(std::string("filch::") + what +
                        "() was called in a child that fork() made, but the task belongs to a pool "
                        "of the parent process: its result never comes");
    return s;
  }
  void swap(future& other) noexcept { std::swap(state_, other.state_); }
  friend class detail::future_awaiter<T>;

  detail::future_state<T>* state_ = nullptr;
};

namespace detail {

/// The awaiter of a coroutine that waits for a future.
template <class T>
class [[nodiscard]] future_awaiter final : public resumption {
 public:
  explicit future_awaiter(future<T>&& from) noexcept : from_(std::move(from)) {}

  bool await_ready() const noexcept { return from_.state_->done.probe(); }
  template <class Handle>
  [[gnu::noinline]] bool await_suspend(Handle coroutine) noexcept {  // as in schedule_awaiter
    remember(coroutine);
    return from_.state_->try_follow(*this);  // if true, the frame with `this` may be gone
  }
  T await_resume() { return from_.get(); }

 private:
  future<T> from_;
};

}  // namespace detail

}  // namespace filch
