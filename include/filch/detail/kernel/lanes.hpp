// Folds numbers in several lanes at once.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// The operations of <functional> that a reduction may treat as associative and commutative on
/// numbers. It may combine floating-point numbers in any order too (see std::reduce).
template <class Op>
struct number_op : std::false_type {};
template <template <class> class Op, class T>
requires std::same_as<Op<void>, std::plus<>> || std::same_as<Op<void>, std::multiplies<>> ||
    std::same_as<Op<void>, std::bit_and<>> || std::same_as<Op<void>, std::bit_or<>> ||
    std::same_as<Op<void>, std::bit_xor<>>
struct number_op<Op<T>> : std::true_type {
  using any = Op<void>;
};

/// Is Op, on values of type T, the same as std::plus<T> and so on? std::plus<int> on doubles is
/// not.
template <class Op, class T>
concept op_on_numbers = number_op<Op>::value && std::is_arithmetic_v<T> && !std::same_as<T, bool> &&
                        std::invocable<Op, T, T> &&
                        (std::same_as<Op, typename number_op<Op>::any> ||
                         std::same_as<std::invoke_result_t<Op, T, T>, T>);

/// May items of type Item be converted to T first and combined then?
template <class Item, class T>
concept number_like = std::is_arithmetic_v<Item> && std::is_arithmetic_v<T> &&
    (std::integral<Item> || (std::floating_point<T> && sizeof(T) >= sizeof(Item)));

/// A reduction of numbers that calls no code of the user's.
template <class Op, class T, class Item>
concept known_reduction = op_on_numbers<Op, T> && number_like<std::remove_cvref_t<Item>, T>;

/// Op for values of type T. Integers are combined modulo 2^n. So a sum whose result fits does not
/// overflow on the way, in any order.
template <class Op, class T>
struct lane_op {
  using any = typename number_op<Op>::any;
  T operator()(T a, T b) const noexcept {
    if constexpr (std::integral<T>) {
      // At least as wide as unsigned: unsigned short would be promoted to int.
      using wide = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
      return static_cast<T>(any{}(static_cast<wide>(a), static_cast<wide>(b)));
    } else {
      return any{}(a, b);
    }
  }
};

/// Enough independent sums to hide the latency of an addition, and few enough for the registers of
/// any processor.
template <class T>
inline constexpr std::size_t lanes_for = std::clamp<std::size_t>(128 / sizeof(T), 4, 32);

/// Combines the first half of the lanes with the second, and so on. The compiler knows the length
/// of each step.
template <std::size_t Half, class T, class Op>
[[gnu::always_inline]] inline void fold_lanes(const Op& op, T* lane) {
  for (std::size_t k = 0; k != Half; ++k) lane[k] = op(lane[k], lane[k + Half]);
  if constexpr (Half > 1) detail::fold_lanes<Half / 2>(op, lane);
}

/// Combines get(from), ..., get(to - 1) one after the other, with `start` before them if it
/// `Starts`.
template <bool Starts, class T, class Op, class Get>
[[gnu::always_inline]] inline T fold_in_order(T start, const Op& op, const Get& get,
                                              std::size_t from, std::size_t to) {
  T sum = Starts ? start : static_cast<T>(get(from++));
  for (; from != to; ++from) sum = op(sum, static_cast<T>(get(from)));
  return sum;
}

/// Combines get(from), ..., get(to - 1) in lanes, and then the lanes with each other. Each lane
/// begins with an item or, if it `Starts`, with `start`, which `op` may combine any number of
/// times. The result depends on nothing but the items. An addition takes several cycles, in which
/// as many others can start; one chain of additions would be slower than memory. The loop is
/// unrolled by hand, so that the lanes are in registers, not in an array, at any optimisation
/// level.
template <bool Starts, class T, class Op, class Get, std::size_t... K>
T fold_in_lanes(T start, const Op& op, const Get& get, std::size_t from, std::size_t to,
                std::index_sequence<K...>) {
  constexpr std::size_t lanes = sizeof...(K);
  if (to - from < lanes) return detail::fold_in_order<Starts>(start, op, get, from, to);
  T lane[lanes] = {(Starts ? start : static_cast<T>(get(from + K)))...};
  if (!Starts) from += lanes;
  for (; to - from >= lanes; from += lanes)
    ((lane[K] = op(lane[K], static_cast<T>(get(from + K)))), ...);
  const std::size_t left = to - from;
  for (std::size_t k = 0; k < left; ++k) lane[k] = op(lane[k], static_cast<T>(get(from + k)));
  detail::fold_lanes<lanes / 2>(op, lane);
  return lane[0];
}

/// g++ vectorises a loop over integers in lanes, also with -O2. clang++ vectorises a plain loop,
/// but not one in lanes, unless it widens bytes. Compilers must keep the order of floating-point
/// additions.
#if defined(__clang__)
inline constexpr bool integers_in_lanes = false;
#else
inline constexpr bool integers_in_lanes = true;
#endif

/// Is a fold of the items that Get returns, as numbers of type T, faster in lanes?
template <class T, class Get>
inline constexpr bool folds_in_lanes =
    std::floating_point<T> || integers_in_lanes ||
    sizeof(T) > 2 * sizeof(std::remove_cvref_t<std::invoke_result_t<const Get&, std::size_t>>);

template <bool Starts, class T, class Op, class Get>
[[gnu::always_inline]] inline T fold_in_any_order(T start, const Op& op, const Get& get,
                                                  std::size_t from, std::size_t to) {
  if constexpr (folds_in_lanes<T, Get>)
    return detail::fold_in_lanes<Starts>(start, op, get, from, to,
                                         std::make_index_sequence<lanes_for<T>>{});
  else
    return detail::fold_in_order<Starts>(start, op, get, from, to);
}

/// Combines get(from), ..., get(to - 1), at least one, as numbers of type T, in any order.
template <class T, class Op, class Get>
[[gnu::always_inline]] inline T fold_numbers(const Op& op, const Get& get, std::size_t from,
                                             std::size_t to) {
  return detail::fold_in_any_order<false>(T{}, op, get, from, to);
}

/// The same together with `start`, which `op` may combine any number of times.
template <class T, class Op, class Get>
[[gnu::always_inline]] inline T fold_numbers_from(T start, const Op& op, const Get& get,
                                                  std::size_t from, std::size_t to) {
  return detail::fold_in_any_order<true>(start, op, get, from, to);
}

/// The number that is neutral for the operation.
template <class Op, class T>
constexpr T neutral_number() noexcept {
  using any = typename number_op<Op>::any;
  if constexpr (std::same_as<any, std::multiplies<>>) return T{1};
  if constexpr (std::same_as<any, std::bit_and<>>) return static_cast<T>(~T{});
  return T{};
}

/// With AVX2, g++ makes vectors of a loop that selects by a mask. It makes vectors of fewer loops
/// that select by a condition. Without AVX2 a mask costs more than it saves.
#if defined(__AVX2__) && !defined(__clang__)
template <class Item>
concept selected_by_mask = std::integral<Item> && !std::same_as<Item, bool>;
#else
template <class Item>
concept selected_by_mask = false;
#endif

/// Combines those of get(from), ..., get(to - 1), at least one, that satisfy a test, as numbers of
/// type T, in any order. The neutral number takes the place of the others.
template <class Op, class T, class Get, class Test>
[[gnu::always_inline]] inline T fold_numbers_if(const Get& get, std::size_t from, std::size_t to,
                                                Test& test) {
  using item = std::remove_cvref_t<std::invoke_result_t<const Get&, std::size_t>>;
  constexpr lane_op<Op, T> op;
  constexpr T neutral = neutral_number<Op, T>();
  if constexpr (selected_by_mask<item> && neutral == T{}) {
    const auto selected = [&](std::size_t i) {
      const item x = get(i);
      return static_cast<T>(static_cast<item>(x & static_cast<item>(test(x) ? ~item{} : item{})));
    };
    constexpr std::size_t lanes = lanes_for<T>;
    T lane[lanes] = {};
    for (; to - from >= lanes; from += lanes)
      for (std::size_t k = 0; k != lanes; ++k) lane[k] = op(lane[k], selected(from + k));
    for (std::size_t k = 0; from != to; ++from, ++k) lane[k] = op(lane[k], selected(from));
    detail::fold_lanes<lanes / 2>(op, lane);
    return lane[0];
  } else {
    const auto selected = [&](std::size_t i) {
      auto&& x = get(i);
      return test(std::as_const(x)) ? static_cast<T>(x) : neutral;
    };
    return detail::fold_numbers_from<T>(neutral, op, selected, from, to);
  }
}

}  // namespace filch::detail
