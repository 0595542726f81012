// How a call ended: with a value or an exception.
#pragma once

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/caught.hpp"

namespace filch {

/// The result of a function that returns void, where a value is needed.
struct nothing {
  friend constexpr bool operator==(nothing, nothing) = default;
};

namespace detail {

/// R, or `nothing` for void.
template <class R>
using value_of = std::conditional_t<std::is_void_v<R>, nothing, R>;

template <class F>
using result_of = value_of<std::invoke_result_t<F&>>;

/// Calls `f` and returns what it returns, or `nothing`.
template <class F>
result_of<F> call(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return nothing{};
  } else {
    return f();
  }
}

/// Storage for the result of one call, filled once and emptied at most once.
template <class R>
class outcome {
  using stored = std::conditional_t<std::is_reference_v<R>, std::remove_reference_t<R>*, R>;

 public:
  outcome() noexcept {}  // NOLINT(modernize-use-equals-default): the union has no member yet
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;
  ~outcome() {
    if (state_ == state::value) std::destroy_at(std::addressof(value_));
    if (state_ == state::error) std::destroy_at(std::addressof(error_));
  }

  /// Calls `f` and keeps what it returns or throws.
  template <class F>
  void run(F& f) noexcept {
    try {
      if constexpr (std::is_reference_v<R>)
        std::construct_at(std::addressof(value_), std::addressof(call(f)));
      else
        ::new (static_cast<void*>(std::addressof(value_)))
            R(call(f));  // in place: R may be immovable
      state_ = state::value;
    } catch (...) {
      fail(caught::current());
    }
  }

  void fail(caught&& error) noexcept {
    std::construct_at(std::addressof(error_), std::move(error));
    state_ = state::error;
  }

  /// Moves what `from` has here. What moving a value throws counts as the exception of the call.
  void take_over(outcome& from) noexcept {
    if (from.failed()) return fail(std::move(from.error()));
    const auto take = [&]() -> R { return from.take(); };
    run(take);
  }

  bool failed() const noexcept { return state_ == state::error; }
  caught& error() noexcept { return error_; }

  /// The value, which stays here, or throws a copy of the exception. Any number of threads at once.
  decltype(auto) look() const {
    if (state_ == state::error) error_.copy().rethrow();
    if constexpr (std::is_reference_v<R>)
      return static_cast<R>(*value_);
    else
      return static_cast<const R&>(value_);
  }

  /// The value, moved out, or throws the exception.
  R take() {
    if (state_ == state::error) error_.rethrow();
    if constexpr (std::is_reference_v<R>)
      return static_cast<R>(*value_);
    else
      return std::move(value_);
  }

 private:
  enum class state : unsigned char { none, value, error };

  union {
    stored value_;
    caught error_;
  };
  state state_ = state::none;
};

}  // namespace detail
}  // namespace filch
