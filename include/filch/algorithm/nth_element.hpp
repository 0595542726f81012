// nth_element: puts the element at a position that would be there if the range were sorted.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/detail/kernel/nth_element.hpp"
#include "filch/detail/loop/iter_range.hpp"

namespace filch {

/// Puts the element at `nth` that would be there if `range` were sorted. Nothing before it orders
/// after it, and nothing behind it orders before it. Standard library: std::ranges::nth_element.
///
/// Returns  The end of the range.
/// How, NaN, Options, Throws, Threads, Memory  as sort(). If `nth` is the end, nothing happens.
/// Cost     O(n) comparisons on average, O(n log n) at worst. From 32768 elements on, memory for
///          all of them and two bytes each.
///
///     filch::nth_element(v, v.begin() + v.size() / 2);  // the median
template <detail::splittable_range R, class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
auto nth_element(R&& range, std::ranges::iterator_t<R> nth, Comp comp = {}, Proj proj = {},
                 const options& o = {}) -> detail::borrowed<R> {
  return detail::nth_element_in_parallel(std::ranges::begin(range), nth, detail::size_of(range),
                                         comp, proj, o);
}

template <detail::splittable_range R, class Comp = std::ranges::less>
requires std::sortable<std::ranges::iterator_t<R>, Comp>
auto nth_element(R&& range, std::ranges::iterator_t<R> nth, Comp comp, const options& o)
    -> detail::borrowed<R> {
  return filch::nth_element(std::forward<R>(range), nth, std::move(comp), std::identity(), o);
}

template <detail::splittable_range R>
requires std::sortable<std::ranges::iterator_t<R>>
auto nth_element(R&& range, std::ranges::iterator_t<R> nth, const options& o)
    -> detail::borrowed<R> {
  return filch::nth_element(std::forward<R>(range), nth, std::ranges::less(), std::identity(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<I, Comp, Proj>
auto nth_element(I first, I nth, S last, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> I {
  return filch::nth_element(detail::iter_range(first, last), nth, std::move(comp), std::move(proj),
                            o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less>
requires std::sortable<I, Comp>
auto nth_element(I first, I nth, S last, Comp comp, const options& o) -> I {
  return filch::nth_element(detail::iter_range(first, last), nth, std::move(comp), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S>
requires std::sortable<I>
auto nth_element(I first, I nth, S last, const options& o) -> I {
  return filch::nth_element(detail::iter_range(first, last), nth, o);
}

}  // namespace filch
