// nth_element: puts the element at a position that would be there if the range were sorted.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/detail/kernel/nth_element.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
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
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires std::sortable<std::ranges::iterator_t<R>, detail::or_default_t<Comp, std::ranges::less>,
                       detail::or_default_t<Proj>>
auto nth_element(R&& range, std::ranges::iterator_t<R> nth, Comp&& comp = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {}) -> detail::borrowed<R> {
  auto&& before = detail::or_default<std::ranges::less>(comp);
  auto&& key = detail::or_default(proj);
  return detail::nth_element_in_parallel(std::ranges::begin(range), nth, detail::size_of(range),
                                         before, key, detail::options_of(o, comp, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Comp = options,
          class Proj = options>
auto nth_element(I first, I nth, S last, Comp&& comp = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> decltype(filch::nth_element(detail::iter_range(first, last), nth, comp, proj, o)) {
  return filch::nth_element(detail::iter_range(first, last), nth, comp, proj, o);
}

}  // namespace filch
