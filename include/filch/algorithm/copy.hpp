// copy: copies the elements of a range.
#pragma once

#include "filch/detail/base/config.hpp"

#include <ranges>

#include "filch/detail/kernel/copy.hpp"

namespace filch {

/// Copies the elements of `range` to the elements from `out` on, several at once. Standard library:
/// std::ranges::copy.
///
/// How      As parallel_for(). The two ranges must not overlap. The output must have space for all
///          elements.
/// Returns  The ends of the input and of the output.
/// Throws   What the assignment throws, otherwise as parallel_for().
/// Options, Threads, Memory, Cost  as parallel_for(). The caller alone copies less than 64 KiB of
///          elements that are copied as bytes and have at most 64 bytes each (such as numbers),
///          because that takes less time than waking a worker.
///
///     filch::copy(v, w.begin());
template <detail::splittable_range R, detail::copied_to<std::ranges::iterator_t<R>> O>
auto copy(R&& range, O out, const options& o = {})
    -> std::ranges::copy_result<detail::borrowed<R>, O> {
  return detail::copy_of(std::ranges::begin(range), detail::size_of(range), out, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, detail::copied_to<I> O>
auto copy(I first, S last, O out, const options& o = {}) -> std::ranges::copy_result<I, O> {
  return detail::copy_of(first, detail::size_of(first, last), out, o);
}

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, detail::copied_to<I> O>
auto copy_n(I first, std::iter_difference_t<I> n, O out, const options& o = {})
    -> std::ranges::copy_n_result<I, O> {
  return detail::copy_of(first, detail::count_of(n), out, o);
}

}  // namespace filch
