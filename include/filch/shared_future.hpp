// shared_future: one result for several readers.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/shared_state.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/unwrapping.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"

namespace filch {

/// A future that can be copied. All copies read one result; get() does not take it out. T may be
/// void or a reference. future::share() makes one.
///
/// How       The result stays where the task left it. get() gives a const reference to it, as often
///           as asked for. A worker that waits runs other jobs meanwhile; a thread outside of every
///           pool sleeps. Dropping all copies neither waits for the task nor cancels it.
/// Threads   Several threads may use one object at the same time, except to assign to it or to
///           destroy it. Copies are independent objects. The program must not change the result by
///           another way while threads read it.
/// Memory    A thread sees what the task did after ready(), wait_for() or wait_until() returned
///           true, or after get() or wait() returned.
/// Errors    get() throws what the task threw, each time. All threads get the same exception
///           object, so a handler must not change it. `filch::suppressed()` has the other
///           exceptions.
/// Life      The result lives as long as a copy of the shared future, or a continuation that has
///           not ended. It may outlive the pool.
/// Fork      As for future: in a child of fork(), a result that existed at the fork can be read.
///           Waiting for any other result, or following it, throws `usage_error`.
/// Throws    Each function except valid() and assignment throws `usage_error` if there is no result
///           to wait for, because the object was made without one or was moved from.
/// Cost      share() allocates once, and copying counts one reference. Waiting and then() take a
///           lock for a few instructions, unless the result is there.
///
///     filch::shared_future<config> c = pool.submit(load).share();
///     for (job& j : jobs) pool.detach([c, &j] { run(j, c.get()); });
template <class T>
class shared_future {
  using state_type = detail::shared_state<T>;

 public:
  /// What get() returns, and what the function of then() is called with: `const T&`; for a
  /// reference the reference, for void nothing.
  using reference = typename state_type::argument;

  /// Makes a shared future without a task.
  shared_future() noexcept = default;
  /// Does what `std::move(from).share()` does. Throws like future::share().
  shared_future(future<T>&& from)  // NOLINT(*-explicit-*): as in the standard library
      : state_(new state_type(from.state_to_share())) {
    (void)from.release();  // the new state has its share
    state_->begin();
  }
  shared_future(const shared_future& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) state_->hold();
  }
  shared_future(shared_future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  shared_future& operator=(const shared_future& other) noexcept {
    shared_future(other).swap(*this);
    return *this;
  }
  shared_future& operator=(shared_future&& other) noexcept {
    shared_future(std::move(other)).swap(*this);
    return *this;
  }
  ~shared_future() {
    if (state_ != nullptr) state_->let_go();
  }

  /// Returns true if there is a task.
  [[nodiscard]] bool valid() const noexcept { return state_ != nullptr; }

  /// Waits, then returns the result or throws what the task threw. The reference is valid as long
  /// as a copy of this shared future exists.
  reference get() const {
    state_type& s = awaited("get");
    (void)s.wait_until(std::chrono::steady_clock::time_point::max());
    return s.give_value();
  }

  /// Waits until there is a result.
  void wait() const {
    (void)awaited("wait").wait_until(std::chrono::steady_clock::time_point::max());
  }

  /// Waits for at most `time`, and returns true if there is a result. A worker helps meanwhile, and
  /// may overrun `time` by one job.
  template <class Rep, class Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) const {
    return awaited("wait_for").wait_until(detail::deadline_after(time));
  }

  /// Waits like wait_for(), until the time `when` at most: see future::wait_until().
  template <class Clock, class Duration>
  bool wait_until(std::chrono::time_point<Clock, Duration> when) const {
    return awaited("wait_until").wait_until(detail::deadline_at(when));
  }

  /// Returns true if there is a result. It runs nothing: see future::ready().
  [[nodiscard]] bool ready() const { return state("ready").ready(); }

  /// Calls `f` with the result when there is one, as a task of its own. It can be called any number
  /// of times, also by several threads at once, and this shared future stays valid. Each function
  /// gets a const reference to the one result. Errors, functions that return futures, and the pool
  /// in which `f` runs are as for future::then() and, if the result comes from a promise, as for
  /// promise. No order between the functions is promised.
  ///
  /// Returns  A future of what `f` returns or throws. If `f` returns a reference to the result, it
  ///          is valid as long as a copy of this shared future exists.
  /// Throws   `usage_error` if `f` is an empty function; `std::bad_alloc`.
  /// Cost     One allocation.
  ///
  ///     filch::future<std::size_t> size = text.then(&std::string::size);
  template <class F>
  requires detail::then_function<F, reference>
  auto then(F&& f) const
      -> future<detail::unwrapped_t<detail::then_result_t<std::decay_t<F>, reference>>> {
    using task = detail::then_task_for<std::decay_t<F>, state_type>;
    state_type& s = awaited("then");
    detail::require_callable(f, "shared_future::then");
    auto* const next = new task(std::decay_t<F>(std::forward<F>(f)));
    future<typename task::value_type> result(*next);
    s.hold();
    next->follow(s);
    return result;
  }
  template <class F>
  requires(!detail::then_function<F, reference>) FILCH_REFUSED(
      "filch: then(f): f must be movable, and callable with a const reference to the result of the "
      "task, or without arguments if the task returns void",
      then(F&&) const);

  /// Waits in a coroutine of any type, without blocking a thread, and gives what get() would. The
  /// coroutine continues as after future::operator co_await(), and this shared future stays valid.
  /// Cost  No allocation.
  ///
  ///     const std::string& text = co_await shared;
  detail::shared_future_awaiter<T> operator co_await() const {
    (void)awaited("operator co_await");
    return detail::shared_future_awaiter<T>(*this);
  }

 private:
  friend class detail::shared_future_awaiter<T>;

  state_type& state(const char* what) const {
    if (state_ == nullptr)
      throw usage_error(
          std::string("filch::shared_future::") + what +
          "() was called on a shared future that never had a task, or was moved from");
    return *state_;
  }
  state_type& awaited(const char* what) const {
    state_type& s = state(what);
    if (!s.can_come())
      throw usage_error(std::string("filch::shared_future::") + what +
                        "() was called in a child that fork() made, but the task belongs to a pool "
                        "of the parent process: its result never comes");
    return s;
  }
  void swap(shared_future& other) noexcept { std::swap(state_, other.state_); }

  state_type* state_ = nullptr;
};

template <class T>
shared_future<T> future<T>::share() && {
  return shared_future<T>(std::move(*this));
}

namespace detail {

/// The awaiter of a coroutine that waits for a shared future.
template <class T>
class [[nodiscard]] shared_future_awaiter final : public resumption {
 public:
  explicit shared_future_awaiter(const shared_future<T>& from) noexcept : from_(from) {}

  bool await_ready() const noexcept { return from_.state_->ready(); }
  template <class Handle>
  [[gnu::noinline]] bool await_suspend(Handle coroutine) noexcept {  // as in schedule_awaiter
    remember(coroutine);
    return from_.state_->try_follow(*this, link_);  // if true, the frame with `this` may be gone
  }
  typename shared_future<T>::reference await_resume() const { return from_.get(); }

 private:
  shared_future<T> from_;
  typename shared_state<T>::link link_;
};

}  // namespace detail

}  // namespace filch
