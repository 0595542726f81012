// reverse, reverse_copy, swap_ranges, rotate.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/reverse.hpp"

namespace filch {

/// Reverses the order of `range`. Standard library: std::ranges::reverse.
///
/// How      Pairs of elements are swapped, many at once.
/// Returns  The end of the range.
/// Options, Threads, Memory  as parallel_for(); its numbers are the pairs.
/// Throws   As parallel_for(); what swapping throws. After an exception or a stop, some pairs have
///          been swapped and others not: the range is a permutation of its old elements.
/// Cost     A swap for two elements. The caller alone does less than 64 KiB of elements that are
///          copied as bytes and have at most 64 bytes each.
///
///     filch::reverse(v);
template <detail::splittable_range R>
requires std::permutable<std::ranges::iterator_t<R>>
auto reverse(R&& range, const options& o = {}) -> detail::borrowed<R> {
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::reverse_with(fork, first, n, o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S>
auto reverse(I first, S last, const options& o = {})
    -> FILCH_RESULT_OF(filch::reverse(detail::iter_range(first, last), o));

/// Copies `range` in reverse order to the elements from `out` on. Standard library:
/// std::ranges::reverse_copy. `out` has random access, and does not overlap with the range. After
/// an exception some copies have been made.
///
/// Returns  The end of the range, and the end of the copies.
template <detail::splittable_range R, detail::copied_to<R> O>
auto reverse_copy(R&& range, O out, const options& o = {})
    -> std::ranges::reverse_copy_result<detail::borrowed<R>, O> {
  O end = detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::reverse_copy_with(fork, first, n, out, o);
  });
  return {detail::end_of(range), std::move(end)};
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O>
auto reverse_copy(I first, S last, O out, const options& o = {})
    -> FILCH_RESULT_OF(filch::reverse_copy(detail::iter_range(first, last), out, o));

/// Swaps the elements of two ranges, pair by pair, until the shorter one ends. Standard library:
/// std::ranges::swap_ranges. The ranges do not overlap. After an exception or a stop, some pairs
/// have been swapped.
///
/// Returns  The position in each range where the swapping ended.
template <detail::splittable_range R1, detail::splittable_range R2>
requires std::indirectly_swappable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>>
auto swap_ranges(R1&& range1, R2&& range2, const options& o = {})
    -> std::ranges::swap_ranges_result<detail::borrowed<R1>, detail::borrowed<R2>> {
  const auto first2 = std::ranges::begin(range2);
  return detail::launch_on(range1, o, [&](const auto& fork, auto first1, std::size_t n) {
    return detail::swap_ranges_with(fork, first1, first2, std::min(n, detail::size_of(range2)), o);
  });
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2>
auto swap_ranges(I1 first1, S1 last1, I2 first2, S2 last2, const options& o = {})
    -> FILCH_RESULT_OF(filch::swap_ranges(detail::iter_range(first1, last1),
                                          detail::iter_range(first2, last2), o));

/// Moves the elements before `middle` behind the rest; both groups keep their order. Standard
/// library: std::ranges::rotate.
///
/// How      Both parts are reversed, then the whole.
/// Returns  The elements that were before `middle`, at their new position.
/// Options  stop: checked once, before any element moves (`cancelled`). progress: called once.
/// Throws   What swapping throws: then the range is a permutation of its old elements.
/// Cost     A swap for every element, no memory. What the caller does alone: as reverse().
///
///     filch::rotate(v, v.begin() + 3);
template <detail::splittable_range R>
requires std::permutable<std::ranges::iterator_t<R>>
auto rotate(R&& range, std::ranges::iterator_t<R> middle, const options& o = {})
    -> detail::borrowed_part<R> {
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::rotate_with(fork, first, detail::size_of(first, middle), n, o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S>
auto rotate(I first, I middle, S last, const options& o = {})
    -> FILCH_RESULT_OF(filch::rotate(detail::iter_range(first, last), middle, o));

}  // namespace filch
