// Prefix sums of numbers, several at a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>

#include "filch/detail/split/lanes.hpp"

namespace filch::detail {

/// Are items and results numbers of type T that are added up, such that it pays to do four at a
/// time? (Of 64-bit integers a processor adds one each cycle, which is as fast as memory is.)
template <class Op, class T, class Item, class Result>
concept prefix_in_fours = op_on_numbers<Op, T> &&
    std::same_as<typename number_op<Op>::any, std::plus<>> && std::same_as<T, Item> &&
    std::same_as<T, Result> &&(sizeof(T) == 4 || std::same_as<T, double>);

/// Four numbers of 32 bits. Integers are added modulo 2^32.
template <class T>
using lane_of = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                            std::type_identity<T>>::type;
template <class T>
using four_of [[gnu::vector_size(4 * sizeof(T))]] = lane_of<T>;

/// Four results from four items and the sum of all before, which becomes the sum of all. The items
/// are added up among themselves first; only that sum has to wait for the four before.
template <bool Inclusive, class T>
void prefix_of_four(const T* from, T* to, four_of<T>& before) {
  const four_of<T> zero = {};
  four_of<T> x;
  std::memcpy(&x, from, sizeof x);
  four_of<T> sums = x + __builtin_shufflevector(zero, x, 0, 4, 5, 6);
  sums += __builtin_shufflevector(zero, sums, 0, 1, 4, 5);
  const four_of<T> result =
      before + (Inclusive ? sums : __builtin_shufflevector(zero, sums, 0, 4, 5, 6));
  std::memcpy(to, &result, sizeof result);
  before += __builtin_shufflevector(sums, sums, 3, 3, 3, 3);
}
template <bool Inclusive>
void prefix_of_four(const double* from, double* to, double& before) {
  const double a = from[0];
  const double ab = a + from[1];
  const double abc = ab + from[2];
  const double abcd = ab + (from[2] + from[3]);
  const double sum = before;
  to[0] = Inclusive ? sum + a : sum;
  to[1] = sum + (Inclusive ? ab : a);
  to[2] = sum + (Inclusive ? abc : ab);
  to[3] = sum + (Inclusive ? abcd : abc);
  before = sum + abcd;
}

/// Writes the sums of all items up to each (or, exclusive, before each), on top of `carry`; returns
/// the sum of all. `to` may be `from`.
template <bool Inclusive, class T>
T prefix_numbers(const T* from, T* to, std::size_t n, T carry) {
  std::size_t i = 0;
  lane_of<T> sum = static_cast<lane_of<T>>(carry);
  if constexpr (std::same_as<T, double>) {
    for (; n - i >= 4; i += 4) detail::prefix_of_four<Inclusive>(from + i, to + i, sum);
  } else {
    four_of<T> before = four_of<T>{} + sum;
    for (; n - i >= 4; i += 4) detail::prefix_of_four<Inclusive, T>(from + i, to + i, before);
    sum = before[0];
  }
  for (; i != n; ++i) {
    const lane_of<T> next = sum + static_cast<lane_of<T>>(from[i]);
    to[i] = static_cast<T>(Inclusive ? next : sum);
    sum = next;
  }
  return static_cast<T>(sum);
}

}  // namespace filch::detail
