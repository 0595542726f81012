// expected: a value, or the error that explains why there is none.
#pragma once

#include "filch/detail/base/public_types.hpp"

#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L
namespace filch {

using std::bad_expected_access;
using std::unexpected;

}  // namespace filch

#else
#include <concepts>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace filch {

/// An error from which an expected can be made.
template <class E>
class unexpected {
 public:
  template <class G = E>
  requires(!std::same_as<std::remove_cvref_t<G>, unexpected> && std::constructible_from<E, G>)
      // NOLINTNEXTLINE(*-forwarding-reference-overload): not of its own type
      constexpr explicit unexpected(G&& error)
      : error_(std::forward<G>(error)) {}

  constexpr const E& error() const& noexcept { return error_; }
  constexpr E& error() & noexcept { return error_; }
  constexpr E&& error() && noexcept { return std::move(error_); }

  friend constexpr bool operator==(const unexpected& a, const unexpected& b) {
    return a.error_ == b.error_;
  }

 private:
  E error_;
};
template <class E>
unexpected(E) -> unexpected<E>;

/// The exception that expected::value() throws if there is no value.
template <class E>
class bad_expected_access : public std::exception {
 public:
  explicit bad_expected_access(E error) : error_(std::move(error)) {}
  const char* what() const noexcept override {
    return "filch: an expected has no value, but an error: ask has_value() first";
  }
  const E& error() const& noexcept { return error_; }
  E& error() & noexcept { return error_; }
  E&& error() && noexcept { return std::move(error_); }

 private:
  E error_;
};

namespace detail {

template <class R>
inline constexpr bool is_unexpected = false;
template <class E>
inline constexpr bool is_unexpected<unexpected<E>> = true;

/// A T, or `std::monostate` for void.
template <class T>
using held_value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// The common part of expected<T, E> and expected<void, E>.
template <class T, class E>
class expected_base {
 public:
  using value_type = T;
  using error_type = E;
  using unexpected_type = unexpected<E>;
  template <class U>
  using rebind = expected<U, E>;

  constexpr bool has_value() const noexcept { return held_.index() == 0; }
  constexpr explicit operator bool() const noexcept { return has_value(); }

  /// Returns the error. There must be one.
  constexpr const E& error() const& noexcept { return std::get_if<1>(&held_)->error(); }
  constexpr E& error() & noexcept { return std::get_if<1>(&held_)->error(); }
  constexpr E&& error() && noexcept { return std::move(*std::get_if<1>(&held_)).error(); }
  /// Returns the error, or `other` if there is none.
  template <class G>
  constexpr E error_or(G&& other) const& {
    return has_value() ? static_cast<E>(std::forward<G>(other)) : error();
  }

 protected:
  using held = std::variant<held_value<T>, unexpected<E>>;
  template <class... Args>
  constexpr explicit expected_base(std::in_place_index_t<0> i, Args&&... args)
      : held_(i, std::forward<Args>(args)...) {}
  template <class... Args>
  constexpr explicit expected_base(std::in_place_index_t<1> i, Args&&... args)
      : held_(i, E(std::forward<Args>(args)...)) {}

  constexpr void check() const {
    if (!has_value()) throw bad_expected_access<E>(error());
  }

  held held_;
};

/// Returns the result of f(args...) as an expected with errors of type E.
template <class E, class F, class... Args>
constexpr auto expected_result(F&& f, Args&&... args) {
  using R = std::remove_cv_t<std::invoke_result_t<F, Args...>>;
  if constexpr (std::is_void_v<R>) {
    std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
    return expected<void, E>();
  } else {
    return expected<R, E>(std::in_place,
                          std::invoke(std::forward<F>(f), std::forward<Args>(args)...));
  }
}

}  // namespace detail

/// A value of type T, or an error of type E: the result of a function that may fail and does not
/// throw. The names are those of std::expected. This is the part of it that can be written in
/// C++20, hence its many functions. Where the standard library has std::expected, this is
/// std::expected.
///
/// Careful  If a move throws during an assignment, the object may have neither. Then has_value() is
///          false.
///
///     filch::expected<int, std::string> parse(std::string_view s) {
///       if (s.empty()) return filch::unexpected<std::string>("nothing there");
///       return 7;
///     }
///     int n = parse(s).value_or(0);
template <class T, class E>
class expected : public detail::expected_base<T, E> {
  using base = detail::expected_base<T, E>;
  static_assert(std::is_object_v<T> && !std::is_array_v<T>,
                "filch::expected<T, E>: T is a type of objects, or void");

 public:
  constexpr expected() requires std::default_initializable<T> : base(std::in_place_index<0>) {}
  template <class U = T>
  requires(!std::same_as<std::remove_cvref_t<U>, expected> &&
           !std::same_as<std::remove_cvref_t<U>, std::in_place_t> &&
           !detail::is_unexpected<std::remove_cvref_t<U>> && std::constructible_from<T, U>)
      // NOLINTNEXTLINE(*-forwarding-reference-overload): not of its own type
      constexpr explicit(!std::convertible_to<U, T>) expected(U&& value)
      : base(std::in_place_index<0>, std::forward<U>(value)) {}
  template <class G>
  requires std::constructible_from<E, const G&>
  constexpr explicit(!std::convertible_to<const G&, E>) expected(const unexpected<G>& error)
      : base(std::in_place_index<1>, error.error()) {}
  template <class G>
  requires std::constructible_from<E, G>
  constexpr explicit(!std::convertible_to<G, E>) expected(unexpected<G>&& error)
      : base(std::in_place_index<1>, std::move(error).error()) {}
  template <class... Args>
  requires std::constructible_from<T, Args...>
  constexpr explicit expected(std::in_place_t, Args&&... args)
      : base(std::in_place_index<0>, std::forward<Args>(args)...) {}
  template <class... Args>
  requires std::constructible_from<E, Args...>
  constexpr explicit expected(unexpect_t, Args&&... args)
      : base(std::in_place_index<1>, std::forward<Args>(args)...) {}

  template <class... Args>
  constexpr T& emplace(Args&&... args) {
    return this->held_.template emplace<0>(std::forward<Args>(args)...);
  }

  /// Returns the value. There must be one.
  constexpr const T& operator*() const& noexcept { return *std::get_if<0>(&this->held_); }
  constexpr T& operator*() & noexcept { return *std::get_if<0>(&this->held_); }
  constexpr T&& operator*() && noexcept { return std::move(*std::get_if<0>(&this->held_)); }
  constexpr const T* operator->() const noexcept { return std::get_if<0>(&this->held_); }
  constexpr T* operator->() noexcept { return std::get_if<0>(&this->held_); }
  /// Returns the value. Throws `bad_expected_access<E>` with the error if there is none.
  constexpr const T& value() const& { return this->check(), **this; }
  constexpr T& value() & { return this->check(), **this; }
  constexpr T&& value() && { return this->check(), *std::move(*this); }
  /// Returns the value, or `other` if there is none.
  template <class U>
  constexpr T value_or(U&& other) const& {
    return this->has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  constexpr T value_or(U&& other) && {
    return this->has_value() ? *std::move(*this) : static_cast<T>(std::forward<U>(other));
  }

  /// Returns f(value), which is an expected itself, or the error.
  template <class F>
  constexpr auto and_then(F&& f) const& {
    using R = std::remove_cvref_t<std::invoke_result_t<F, const T&>>;
    return *this ? std::invoke(std::forward<F>(f), **this) : R(unexpect, this->error());
  }
  template <class F>
  constexpr auto and_then(F&& f) && {
    using R = std::remove_cvref_t<std::invoke_result_t<F, T>>;
    return *this ? std::invoke(std::forward<F>(f), *std::move(*this))
                 : R(unexpect, std::move(*this).error());
  }
  /// Returns an expected with the value f(value), or with the error.
  template <class F>
  constexpr auto transform(F&& f) const& {
    using R = expected<std::remove_cvref_t<std::invoke_result_t<F, const T&>>, E>;
    return *this ? detail::expected_result<E>(std::forward<F>(f), **this)
                 : R(unexpect, this->error());
  }
  template <class F>
  constexpr auto transform(F&& f) && {
    using R = expected<std::remove_cvref_t<std::invoke_result_t<F, T>>, E>;
    return *this ? detail::expected_result<E>(std::forward<F>(f), *std::move(*this))
                 : R(unexpect, std::move(*this).error());
  }
  /// Returns the value, or f(error), which is an expected itself.
  template <class F>
  constexpr auto or_else(F&& f) const& {
    using R = std::remove_cvref_t<std::invoke_result_t<F, const E&>>;
    return *this ? R(std::in_place, **this) : std::invoke(std::forward<F>(f), this->error());
  }
  /// Returns an expected with the value, or with the error f(error).
  template <class F>
  constexpr auto transform_error(F&& f) const& {
    using R = expected<T, std::remove_cvref_t<std::invoke_result_t<F, const E&>>>;
    return *this ? R(std::in_place, **this)
                 : R(unexpect, std::invoke(std::forward<F>(f), this->error()));
  }

  friend constexpr bool operator==(const expected& a, const expected& b) {
    return a.has_value() == b.has_value() &&
           (a.has_value() ? static_cast<bool>(*a == *b)
                          : static_cast<bool>(a.error() == b.error()));
  }
  friend constexpr bool operator==(const expected& a, const T& value) {
    return a.has_value() && static_cast<bool>(*a == value);
  }
  template <class G>
  friend constexpr bool operator==(const expected& a, const unexpected<G>& error) {
    return !a.has_value() && static_cast<bool>(a.error() == error.error());
  }
};

/// Success, or an error of type E.
template <class E>
class expected<void, E> : public detail::expected_base<void, E> {
  using base = detail::expected_base<void, E>;

 public:
  constexpr expected() noexcept : base(std::in_place_index<0>) {}
  constexpr explicit expected(std::in_place_t) noexcept : expected() {}
  template <class G>
  requires std::constructible_from<E, const G&>
  constexpr explicit(!std::convertible_to<const G&, E>) expected(const unexpected<G>& error)
      : base(std::in_place_index<1>, error.error()) {}
  template <class G>
  requires std::constructible_from<E, G>
  constexpr explicit(!std::convertible_to<G, E>) expected(unexpected<G>&& error)
      : base(std::in_place_index<1>, std::move(error).error()) {}
  template <class... Args>
  requires std::constructible_from<E, Args...>
  constexpr explicit expected(unexpect_t, Args&&... args)
      : base(std::in_place_index<1>, std::forward<Args>(args)...) {}

  constexpr void operator*() const noexcept {}
  /// Throws `bad_expected_access<E>` if there is an error.
  constexpr void value() const { this->check(); }

  template <class F>
  constexpr auto and_then(F&& f) const& {
    using R = std::remove_cvref_t<std::invoke_result_t<F>>;
    return *this ? std::invoke(std::forward<F>(f)) : R(unexpect, this->error());
  }
  template <class F>
  constexpr auto transform(F&& f) const& {
    using R = expected<std::remove_cvref_t<std::invoke_result_t<F>>, E>;
    return *this ? detail::expected_result<E>(std::forward<F>(f)) : R(unexpect, this->error());
  }

  friend constexpr bool operator==(const expected& a, const expected& b) {
    return a.has_value() == b.has_value() &&
           (a.has_value() || static_cast<bool>(a.error() == b.error()));
  }
  template <class G>
  friend constexpr bool operator==(const expected& a, const unexpected<G>& error) {
    return !a.has_value() && static_cast<bool>(a.error() == error.error());
  }
};

}  // namespace filch
#endif
