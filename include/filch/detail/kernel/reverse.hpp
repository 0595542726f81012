// Reverses and rotates a range.
#pragma once

#include "filch/detail/kernel/bitmask.hpp"
#include "filch/subrange.hpp"

namespace filch::detail {

/// Swaps the pairs [from, to) of `n` elements. Pair 0 is the first element and the last.
template <std::random_access_iterator I>
void reverse_part(const I& first, std::size_t n, std::size_t from, std::size_t to) {
  I back = detail::at(first, n - from);
  const I last = detail::at(first, to);
  for (I i = detail::at(first, from); i != last; ++i) std::ranges::iter_swap(i, --back);
}

template <fork_policy Fork, std::random_access_iterator I>
I reverse_with(const Fork& fork, I first, std::size_t n, const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    detail::reverse_part(first, n, from, to);
  };
  for_blocks(fork, n / 2, o, leaf, worth_moving<I>);
  return detail::at(first, n);
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O>
O reverse_copy_with(const Fork& fork, I first, std::size_t n, O out, const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    I back = detail::at(first, n - from);
    const O last = detail::at(out, to);
    for (O i = detail::at(out, from); i != last; ++i) *i = *--back;
  };
  for_blocks(fork, n, o, leaf, worth_moving<I>);
  return detail::at(out, n);
}

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator J>
std::ranges::swap_ranges_result<I, J> swap_ranges_with(const Fork& fork, I first1, J first2,
                                                       std::size_t n, const options& o) {
  const auto leaf = [&](std::size_t from, std::size_t to) {
    J j = detail::at(first2, from);
    const I last = detail::at(first1, to);
    for (I i = detail::at(first1, from); i != last; ++i, ++j) std::ranges::iter_swap(i, j);
  };
  for_blocks(fork, n, o, leaf, worth_moving<I>);
  return {detail::at(first1, n), detail::at(first2, n)};
}

/// Rotates by three reversals: every element is swapped at most twice, and no extra memory is
/// needed.
template <fork_policy Fork, std::random_access_iterator I>
subrange<I> rotate_with(const Fork& fork, I first, std::size_t middle, std::size_t n,
                        const options& o) {
  const I end = detail::at(first, n);
  if (middle == 0 || middle == n) {
    if (o.progress && n != 0) o.progress(n, n);
    return {middle == 0 ? end : first, end};
  }
  // Stopping half way would leave neither the old order nor the new one, so stop is checked only
  // here.
  if (is_to_end(o)) detail::throw_cancelled(o, "rotate()");
  if (n / 2 < 2 * worth_moving<I>) {
    detail::reverse_part(first, middle, 0, middle / 2);
    detail::reverse_part(detail::at(first, middle), n - middle, 0, (n - middle) / 2);
    detail::reverse_part(first, n, 0, n / 2);
  } else {
    const options whole = second_pass(o);
    fork([&] { detail::reverse_with(fork, first, middle, whole); },
         [&] { detail::reverse_with(fork, detail::at(first, middle), n - middle, whole); });
    detail::reverse_with(fork, first, n, whole);
  }
  if (o.progress) o.progress(n, n);
  return {detail::at(first, n - middle), end};
}

}  // namespace filch::detail
