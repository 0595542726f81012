// min_element, max_element, minmax_element: where the smallest and the largest element are.
#pragma once

#include "filch/detail/kernel/extremum.hpp"

namespace filch {

/// Finds the first of the smallest elements, in the order of `comp` after the projection. Standard
/// library: std::ranges::min_element. Rayon: min_by and min_by_key.
///
/// How      In parts, as parallel_for(). `comp` and `proj` are called by several threads at once;
///          nothing is copied. Integers in their usual order are compared many at a time.
/// Returns  An iterator to the element; the end for an empty range; std::ranges::dangling for a
///          range that does not outlive the call.
/// Options  deterministic: the same element for any pool, number of workers, grain and run, also
///          among elements without an order, such as NaNs. Without it, the choice among these
///          depends on how the range was divided. The others as parallel_for().
/// Throws, Threads, Memory, Cost  as parallel_for(). The caller alone does fewer than 8192 integers
///          in their usual order.
///
///     auto youngest = filch::min_element(people, {}, &person::age);
///     auto i = filch::min_element(v, {.grain = 1000});
///     auto j = filch::min_element(v, std::greater{}, {.grain = 1000});
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::orders<R, Comp, Proj>
[[nodiscard]] auto min_element(R&& range, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  return detail::extremum_of<false>(range, detail::given<std::ranges::less>(o, comp, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
[[nodiscard]] auto min_element(I first, S last, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::min_element(detail::iter_range(first, last), comp, proj, o));

/// Finds the first of the largest elements. Otherwise like min_element(). Standard library:
/// std::ranges::max_element (std::max_element with a policy). Rayon's max_by finds the last one.
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::orders<R, Comp, Proj>
[[nodiscard]] auto max_element(R&& range, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  return detail::extremum_of<true>(range, detail::given<std::ranges::less>(o, comp, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
[[nodiscard]] auto max_element(I first, S last, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::max_element(detail::iter_range(first, last), comp, proj, o));

/// Finds the first of the smallest and the last of the largest elements, in one pass. Otherwise
/// like min_element(). Standard library: std::ranges::minmax_element.
///
///     auto [low, high] = filch::minmax_element(v);
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::orders<R, Comp, Proj>
[[nodiscard]] auto minmax_element(R&& range, Comp&& comp = detail::left_out(),
                                  Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::minmax_element_result<detail::borrowed<R>> {
  return detail::extremes_of(range, detail::given<std::ranges::less>(o, comp, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
[[nodiscard]] auto minmax_element(I first, S last, Comp&& comp = detail::left_out(),
                                  Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::minmax_element(detail::iter_range(first, last), comp, proj, o));

}  // namespace filch
