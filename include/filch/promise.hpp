// promise: a result that no task brings.
#pragma once

#include "filch/detail/base/config.hpp"

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/promise_state.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"

namespace filch {

/// The other end of a future: the program itself brings the result, from any thread. Move-only. T
/// may be void or a reference.
///
/// How       get_future() gives the future, once. set_value() or set_exception() sets the result,
///           once. It is for results that come from elsewhere: from a callback of another library,
///           a thread of its own, a signal of hardware.
/// Waiting   A worker that waits for the future runs other jobs meanwhile, as for any future. A
///           program in which all threads wait for a promise that none of them sets stands still.
/// Follow    A continuation (then(), `when_all`, `when_any`, co_await) runs in the pool in which
///           the caller of then() took part; if the caller was in no pool, in the default pool.
///           It does not matter which thread sets the promise. Only if that pool has no workers,
///           has stopped, is closed or cannot be made, the thread that sets the promise runs the
///           continuation, in set_value() or later (see then()). No pool waits for a promise:
///           wait_idle() and the destructor of a pool wait only for continuations whose promise is
///           set.
/// Broken    If the promise is destroyed, or is assigned another one, before it is set, its future
///           throws `broken_promise`.
/// Threads   set_value() and set_exception(): any thread, also one that belongs to no pool, and at
///           the same time as get_future() and as all uses of the future. If two threads set it,
///           one of them gets the `usage_error`. As soon as the result is there, another thread may
///           destroy the promise. Moving it is for one thread at a time.
/// Memory    A thread that has the result sees what came before the promise was set.
/// Fork      In a child that fork() made, a promise of the parent cannot be set: that throws
///           `usage_error`, and so does waiting for its future. Its destructor does nothing.
/// Throws    Each function throws `usage_error` if the promise was moved from.
/// Cost      One allocation.
///
///     filch::promise<reply> p;
///     filch::future<reply> f = p.get_future();
///     client.send(request, [p = std::move(p)](reply r) mutable { p.set_value(std::move(r)); });
///     use(f.get());
template <class T>
class promise {
 public:
  /// Throws  `std::bad_alloc`.
  promise() : state_(new detail::promise_state<T>) {}
  promise(promise&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)), has_future_(other.has_future_) {}
  promise& operator=(promise&& other) noexcept {
    promise last(std::move(other));
    std::swap(state_, last.state_);
    std::swap(has_future_, last.has_future_);
    return *this;
  }
  ~promise() {
    if (state_ == nullptr || !state_->can_come()) return;
    if (!has_future_) {
      state_->let_go();  // the future's share
    } else if (state_->begin_setting()) {
      state_->result.fail(detail::caught::make<broken_promise>(
          "filch::promise was destroyed before set_value() or set_exception() was called"));
      state_->deliver();
    }
    state_->let_go();
  }

  /// Returns the future of the result. Throws `usage_error` if called a second time.
  future<T> get_future() {
    detail::promise_state<T>& s = state("get_future");
    if (std::exchange(has_future_, true))
      throw usage_error(
          "filch::promise::get_future() was called a second time, but there is one future: call "
          "share() on it if several parts of the program need the result");
    return future<T>(s);
  }

  /// Sets the result, and wakes the waiter or starts the continuation. If making a T of `value`
  /// throws, that exception is the result.
  /// Throws  `usage_error` if the promise is set already. Then `value` has not been touched.
  ///
  ///     p.set_value(42);
  template <class U = T>
  requires detail::promise_value<U, T>
  void set_value(U&& value) {
    detail::promise_state<T>& s = begin_setting("set_value");
    const auto make = [&]() -> T { return static_cast<T>(std::forward<U>(value)); };
    s.result.run(make);
    s.deliver();
  }
  template <class U>
  requires(!detail::promise_value<U, T>) FILCH_REFUSED(
      "filch: promise::set_value(value): value must convert to the type of the promise without a "
      "cast. If that is a reference, value must be an object of that type and not a temporary.",
      set_value(U&&));
  void set_value() requires std::is_void_v<T> {
    detail::promise_state<T>& s = begin_setting("set_value");
    const auto no_value = [] {};
    s.result.run(no_value);
    s.deliver();
  }

  /// Sets the result to an exception, which the future throws.
  /// Throws  `usage_error` if the promise is set already, or if `error` is null.
  ///
  ///     p.set_exception(std::make_exception_ptr(std::runtime_error("no connection")));
  void set_exception(std::exception_ptr error) {
    if (error == nullptr)
      throw usage_error(
          "filch::promise::set_exception() was given a null pointer, which cannot be thrown: call "
          "set_value() if there was no error");
    detail::promise_state<T>& s = begin_setting("set_exception");
    s.result.fail({std::move(error), {}});
    s.deliver();
  }

 private:
  detail::promise_state<T>& state(const char* what) const {
    if (state_ == nullptr)
      throw usage_error(std::string("filch::promise::") + what +
                        "() was called on a promise that was moved from");
    return *state_;
  }
  detail::promise_state<T>& begin_setting(const char* what) {
    detail::promise_state<T>& s = state(what);
    if (!s.can_come())
      throw usage_error(std::string("filch::promise::") + what +
                        "() was called in a child that fork() made, but the promise belongs to the "
                        "parent process, as do the threads that wait for it: make a new one here");
    if (!s.begin_setting())
      throw usage_error(std::string("filch::promise::") + what +
                        "() was called, but the promise has its value or exception already: it can "
                        "be set once");
    return s;
  }

  detail::promise_state<T>* state_;
  bool has_future_ = false;
};

}  // namespace filch
