// nth_element: puts the element at a position that would be there if the range were sorted.
#pragma once

#include "filch/detail/kernel/nth_element.hpp"

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
requires detail::sortable_by<R, Comp, Proj>
auto nth_element(R&& range, std::ranges::iterator_t<R> nth, Comp&& comp = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {}) -> detail::borrowed<R> {
  auto by = detail::given<std::ranges::less>(o, comp, proj);
  return detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    detail::nth_element_with(fork, first, detail::size_of(first, nth), n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
auto nth_element(I first, I nth, S last, Comp&& comp = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::nth_element(detail::iter_range(first, last), nth, comp, proj, o));

}  // namespace filch
