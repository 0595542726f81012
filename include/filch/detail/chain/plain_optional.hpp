// An object or none, which is trivially copyable if the object is.
#pragma once

#include "filch/detail/base/config.hpp"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// Like std::optional, for types that cannot be assigned, such as lambdas with captures. A
/// std::optional of such a type has a copy constructor that is not trivial, so compilers keep it in
/// memory.
template <class T>
class bytes_or_none {
 public:
  bytes_or_none() noexcept : none_() {}

  bool has_value() const noexcept { return there_; }
  explicit operator bool() const noexcept { return there_; }
  T& operator*() noexcept { return value_; }
  const T& operator*() const noexcept { return value_; }
  T& emplace(T value) noexcept {
    there_ = true;
    return *std::construct_at(std::addressof(value_), std::move(value));
  }
  void reset() noexcept { there_ = false; }

 private:
  struct none {};
  union {
    none none_;  // no byte of it is ever written
    T value_;
  };
  bool there_ = false;
};

template <class T>
inline constexpr bool is_bytes = std::is_trivially_copyable_v<T>&&
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;

template <class T>
using plain_optional = std::conditional_t<is_bytes<T>, bytes_or_none<T>, std::optional<T>>;

}  // namespace filch::detail
