// Counts the elements that equal a value, or for which a predicate is true.
#pragma once

#include "filch/detail/kernel/scanners.hpp"
#include "filch/detail/loop/reduce_blocks.hpp"

namespace filch::detail {

template <fork_policy Fork, std::random_access_iterator I, class Pred, class Proj>
std::size_t count_if_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                          const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    std::size_t sum = 0;
    const auto hit = [&](auto&& item) {
      return static_cast<bool>(
          std::invoke(pred, std::invoke(proj, static_cast<decltype(item)>(item))));
    };
    if constexpr (std::contiguous_iterator<I>)
      sum = detail::count_hits<std::iter_value_t<I>>(
          from, to, [&, p = std::to_address(first)](std::size_t i) { return hit(p[i]); });
    else
      detail::each_of(first, from, to,
                      [&](auto&& item) { sum += hit(static_cast<decltype(item)>(item)) ? 1 : 0; });
    return sum;
  };
  return detail::reduce_blocks(fork, n, o, leaf, std::plus<std::size_t>{}).value_or(0);
}

template <fork_policy Fork, std::random_access_iterator I, class T, class Proj>
std::size_t count_with(const Fork& fork, I first, std::size_t n, const T& value, Proj& proj,
                       const options& o) {
  if constexpr (plain_search<I, T, Proj>) {
    const auto leaf = [p = n == 0 ? nullptr : std::to_address(first), v = value](std::size_t from,
                                                                                 std::size_t to) {
      return detail::count_hits<T>(from, to, [p, v](std::size_t i) { return p[i] == v; });
    };
    return detail::reduce_blocks(fork, n, o, leaf, std::plus<std::size_t>{}, cheap_items)
        .value_or(0);
  } else {
    auto equal = [&](auto&& item) { return static_cast<decltype(item)>(item) == value; };
    return detail::count_if_with(fork, first, n, equal, proj, o);
  }
}

template <class R>
using count_in = std::ranges::range_difference_t<R>;

}  // namespace filch::detail
