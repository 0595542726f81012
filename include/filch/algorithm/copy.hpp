// copy: copies the elements of a range.
#pragma once

#include "filch/detail/kernel/copy.hpp"
#include "filch/detail/kernel/front.hpp"

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
template <detail::splittable_range R, detail::copied_to<R> O>
auto copy(R&& range, O out, const options& o = {})
    -> std::ranges::copy_result<detail::borrowed<R>, O> {
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::copy_with(fork, first, n, out, o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O>
auto copy(I first, S last, O out, const options& o = {})
    -> FILCH_RESULT_OF(filch::copy(detail::iter_range(first, last), out, o));

/// Does the same for `n` elements from `first` on.
template <std::random_access_iterator I, class O>
auto copy_n(I first, std::iter_difference_t<I> n, O out, const options& o = {})
    -> FILCH_RESULT_OF(filch::copy(detail::first_items(first, n), out, o));

}  // namespace filch
