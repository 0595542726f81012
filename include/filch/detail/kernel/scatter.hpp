// Copies elements by indices.
#pragma once

#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// The number of elements that are worth a fork if each is at a random position, because a cache
/// miss costs more than an addition.
inline constexpr std::size_t scattered_items = cheap_items / 4;

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator P,
          std::random_access_iterator O>
O gather_with(const Fork& fork, I first, P indices, std::size_t n, O out, const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    O target = detail::at(out, from);
    detail::each_of(indices, from, to, [&](auto&& index) {
      *target = first[static_cast<std::iter_difference_t<I>>(index)];
      ++target;
    });
  };
  for_blocks(fork, n, o, leaf, scattered_items);
  return detail::at(out, n);
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator P,
          std::random_access_iterator O>
I scatter_with(const Fork& fork, I first, P indices, std::size_t n, O out, const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    I source = detail::at(first, from);
    detail::each_of(indices, from, to, [&](auto&& index) {
      out[static_cast<std::iter_difference_t<O>>(index)] = *source;
      ++source;
    });
  };
  for_blocks(fork, n, o, leaf, scattered_items);
  return detail::at(first, n);
}

/// A range of integers.
template <class R>
concept range_of_indices = splittable_range<R> && std::integral<std::ranges::range_value_t<R>>;

}  // namespace filch::detail
