// Prefix sums of numbers, four at a time.
#pragma once

#include <array>

#include "filch/detail/base/streaming.hpp"
#include "filch/detail/kernel/lanes.hpp"

namespace filch::detail {

/// Are items and results numbers of type T that are added up, so that four at a time are faster?
/// 64-bit integers are excluded: a processor adds one in each cycle, which is as fast as memory.
template <class Op, class T, class Item, class Result>
concept prefix_in_fours = op_on_numbers<Op, T> &&
    std::same_as<typename number_op<Op>::any, std::plus<>> && std::same_as<T, Item> &&
    std::same_as<T, Result> &&(sizeof(T) == 4 || std::same_as<T, double>);

/// The type of a lane, and four of them. Integers are added modulo 2^32.
template <class T>
using lane_of = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                            std::type_identity<T>>::type;
template <class T>
using four_of [[gnu::vector_size(4 * sizeof(T))]] = lane_of<T>;

/// How results are written: through the caches as usual, or past them.
enum class writing : unsigned char { through_caches, streaming };

/// Writes four consecutive results.
template <writing How, class T, class Four>
[[gnu::always_inline]] inline void put_four(T* to, const Four& results) {
  static_assert(sizeof(Four) == 4 * sizeof(T));
  if constexpr (How == writing::through_caches) {
    std::memcpy(to, &results, sizeof results);
  } else if (is_stream_aligned(to)) {
    struct sixteen {
      unsigned char bytes[streamed_bytes];
    } parts[sizeof(Four) / streamed_bytes];
    std::memcpy(parts, &results, sizeof parts);
    for (std::size_t i = 0; i != std::size(parts); ++i)
      detail::stream_sixteen(to + i * (streamed_bytes / sizeof(T)), parts[i]);
  } else {
    T numbers[4];
    std::memcpy(numbers, &results, sizeof numbers);
    for (std::size_t i = 0; i != 4; ++i) detail::stream_number(to + i, numbers[i]);
  }
}

/// Makes four results from four items and `before`, the sum of all earlier items, and adds the
/// items to `before`. The four items are first added up among themselves; only one addition depends
/// on `before`.
template <bool Inclusive, writing How, class T>
void prefix_of_four(const T* from, T* to, four_of<T>& before) {
  const four_of<T> zero = -four_of<T>{};  // -0.0 + x has the bits of x, also if x is -0.0
  four_of<T> x;
  std::memcpy(&x, from, sizeof x);
  four_of<T> sums = x + __builtin_shufflevector(zero, x, 0, 4, 5, 6);
  sums += __builtin_shufflevector(zero, sums, 0, 1, 4, 5);
  const four_of<T> result =
      before + (Inclusive ? sums : __builtin_shufflevector(zero, sums, 0, 4, 5, 6));
  detail::put_four<How>(to, result);
  before += __builtin_shufflevector(sums, sums, 3, 3, 3, 3);
}
template <bool Inclusive, writing How>
void prefix_of_four(const double* from, double* to, double& before) {
  const double a = from[0];
  const double ab = a + from[1];
  const double abc = ab + from[2];
  const double abcd = ab + (from[2] + from[3]);
  const double sum = before;
  const std::array<double, 4> result = {Inclusive ? sum + a : sum, sum + (Inclusive ? ab : a),
                                        sum + (Inclusive ? abc : ab),
                                        sum + (Inclusive ? abcd : abc)};
  detail::put_four<How>(to, result);
  before = sum + abcd;
}

/// Writes the sum of `carry` and all items up to each item (or, exclusive, before it), and returns
/// the total. `to` may be `from`. The order of floating-point additions depends on `n` only. The
/// caller ends the streaming.
template <bool Inclusive, writing How = writing::through_caches, class T>
T prefix_numbers(const T* from, T* to, std::size_t n, T carry) {
  std::size_t i = 0;
  lane_of<T> sum = static_cast<lane_of<T>>(carry);
  const auto one_by_one = [&](std::size_t end) {
    for (; i != end; ++i) {
      const lane_of<T> next = sum + static_cast<lane_of<T>>(from[i]);
      to[i] = static_cast<T>(Inclusive ? next : sum);
      sum = next;
    }
  };
  if constexpr (std::same_as<T, double>) {
    for (; n - i >= 4; i += 4) detail::prefix_of_four<Inclusive, How>(from + i, to + i, sum);
  } else {
    if constexpr (How == writing::streaming && std::integral<T>)
      while (i != n && !is_stream_aligned(to + i)) one_by_one(i + 1);
    four_of<T> before = -four_of<T>{} + sum;  // all four are `sum`
    for (; n - i >= 4; i += 4) detail::prefix_of_four<Inclusive, How, T>(from + i, to + i, before);
    sum = before[0];
  }
  one_by_one(n);
  return static_cast<T>(sum);
}

}  // namespace filch::detail
