// The type of a sum.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <type_traits>

namespace filch::detail {

/// A number whose sums would overflow soon: an integer narrower than int. Not bool, which is no
/// number.
template <class T>
concept narrow_integer = std::integral<T> && !std::same_as<T, bool> && sizeof(T) < sizeof(int);

/// The type of a sum or product of values of type T, unless the caller asks for another.
template <class T>
struct sum_of {
  using type = T;
};
template <narrow_integer T>
struct sum_of<T> {
  using type = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
};
template <class T>
using sum_type = typename sum_of<T>::type;

}  // namespace filch::detail
