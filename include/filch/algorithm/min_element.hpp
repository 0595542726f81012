// min_element, max_element, minmax_element: where the smallest and the largest element are.
#pragma once

#include "filch/detail/base/config.hpp"

#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/detail/kernel/extremum.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/options.hpp"

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
template <detail::splittable_range R, class Proj = std::identity,
          detail::orders<Proj, R> Comp = std::ranges::less>
[[nodiscard]] auto min_element(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range), detail::extremum_of<false>(range, comp, proj, o));
}
template <detail::splittable_range R>
[[nodiscard]] auto min_element(R&& range, const options& o) -> detail::borrowed<R> {
  return filch::min_element(std::forward<R>(range), std::ranges::less{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::orders<std::identity, R> Comp = std::ranges::less>
[[nodiscard]] auto min_element(R&& range, Comp comp, const options& o) -> detail::borrowed<R> {
  return filch::min_element(std::forward<R>(range), std::move(comp), std::identity{}, o);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::orders<Proj, detail::iter_range<I>> Comp = std::ranges::less>
[[nodiscard]] auto min_element(I first, S last, Comp comp = {}, Proj proj = {},
                               const options& o = {}) -> I {
  return filch::min_element(detail::iter_range(first, last), std::move(comp), std::move(proj), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto min_element(I first, S last, const options& o) -> I {
  return filch::min_element(detail::iter_range(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::orders<std::identity, detail::iter_range<I>> Comp = std::ranges::less>
[[nodiscard]] auto min_element(I first, S last, Comp comp, const options& o) -> I {
  return filch::min_element(detail::iter_range(first, last), std::move(comp), o);
}

/// Finds the first of the largest elements. Otherwise like min_element(). Standard library:
/// std::ranges::max_element (std::max_element with a policy). Rayon's max_by finds the last one.
template <detail::splittable_range R, class Proj = std::identity,
          detail::orders<Proj, R> Comp = std::ranges::less>
[[nodiscard]] auto max_element(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range), detail::extremum_of<true>(range, comp, proj, o));
}
template <detail::splittable_range R>
[[nodiscard]] auto max_element(R&& range, const options& o) -> detail::borrowed<R> {
  return filch::max_element(std::forward<R>(range), std::ranges::less{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::orders<std::identity, R> Comp = std::ranges::less>
[[nodiscard]] auto max_element(R&& range, Comp comp, const options& o) -> detail::borrowed<R> {
  return filch::max_element(std::forward<R>(range), std::move(comp), std::identity{}, o);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::orders<Proj, detail::iter_range<I>> Comp = std::ranges::less>
[[nodiscard]] auto max_element(I first, S last, Comp comp = {}, Proj proj = {},
                               const options& o = {}) -> I {
  return filch::max_element(detail::iter_range(first, last), std::move(comp), std::move(proj), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto max_element(I first, S last, const options& o) -> I {
  return filch::max_element(detail::iter_range(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::orders<std::identity, detail::iter_range<I>> Comp = std::ranges::less>
[[nodiscard]] auto max_element(I first, S last, Comp comp, const options& o) -> I {
  return filch::max_element(detail::iter_range(first, last), std::move(comp), o);
}

/// Finds the first of the smallest and the last of the largest elements, in one pass. Otherwise
/// like min_element(). Standard library: std::ranges::minmax_element.
///
///     auto [low, high] = filch::minmax_element(v);
template <detail::splittable_range R, class Proj = std::identity,
          detail::orders<Proj, R> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::minmax_element_result<detail::borrowed<R>> {
  const auto found = detail::extremes_of(range, comp, proj, o);
  const auto first = std::ranges::begin(range);
  return {detail::at(first, found.least), detail::at(first, found.most)};
}
template <detail::splittable_range R>
[[nodiscard]] auto minmax_element(R&& range, const options& o)
    -> std::ranges::minmax_element_result<detail::borrowed<R>> {
  return filch::minmax_element(std::forward<R>(range), std::ranges::less{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::orders<std::identity, R> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(R&& range, Comp comp, const options& o)
    -> std::ranges::minmax_element_result<detail::borrowed<R>> {
  return filch::minmax_element(std::forward<R>(range), std::move(comp), std::identity{}, o);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::orders<Proj, detail::iter_range<I>> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(I first, S last, Comp comp = {}, Proj proj = {},
                                  const options& o = {}) -> std::ranges::minmax_element_result<I> {
  return filch::minmax_element(detail::iter_range(first, last), std::move(comp), std::move(proj),
                               o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto minmax_element(I first, S last, const options& o)
    -> std::ranges::minmax_element_result<I> {
  return filch::minmax_element(detail::iter_range(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::orders<std::identity, detail::iter_range<I>> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(I first, S last, Comp comp, const options& o)
    -> std::ranges::minmax_element_result<I> {
  return filch::minmax_element(detail::iter_range(first, last), std::move(comp), o);
}

}  // namespace filch
