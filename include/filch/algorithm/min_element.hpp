// Where the smallest and the largest element are.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/detail/split/champion.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/stretch.hpp"
#include "filch/options.hpp"

namespace filch {

/// The first of the smallest elements, in the order of `comp` after the projection. In the words of
/// the standard library: std::ranges::min_element; Rayon's min_by and min_by_key.
///
/// How      In parts, as parallel_for(). `comp` and `proj` are called by several threads at once;
///          nothing is copied. Integers in their usual order are compared many at a time.
/// Returns  The end for an empty range; std::ranges::dangling for one that does not outlive the
///          call.
/// Options  deterministic: the same element for any pool, number of workers, grain and run, also
///          among elements without an order, such as NaNs: without it, which of these is given
///          depends on how the range was divided. The others as parallel_for().
/// Throws, Threads, Memory, Cost  as parallel_for(). Of integers in their usual order fewer than
///          8192 stay on the caller.
///
///     auto youngest = filch::min_element(people, {}, &person::age);
///     auto i = filch::min_element(v, {.grain = 1000});
///     auto j = filch::min_element(v, std::greater{}, {.grain = 1000});
template <detail::splittable_range R, class Proj = std::identity,
          detail::orders<Proj, R> Comp = std::ranges::less>
[[nodiscard]] auto min_element(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::borrowed_iterator_t<R> {
  return detail::at(std::ranges::begin(range), detail::champion_of<false>(range, comp, proj, o));
}
template <detail::splittable_range R>
[[nodiscard]] auto min_element(R&& range, const options& o) -> std::ranges::borrowed_iterator_t<R> {
  return filch::min_element(std::forward<R>(range), std::ranges::less{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::orders<std::identity, R> Comp = std::ranges::less>
[[nodiscard]] auto min_element(R&& range, Comp comp, const options& o)
    -> std::ranges::borrowed_iterator_t<R> {
  return filch::min_element(std::forward<R>(range), std::move(comp), std::identity{}, o);
}
/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::orders<Proj, detail::stretch<I>> Comp = std::ranges::less>
[[nodiscard]] auto min_element(I first, S last, Comp comp = {}, Proj proj = {},
                               const options& o = {}) -> I {
  return filch::min_element(detail::stretch(first, last), std::move(comp), std::move(proj), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto min_element(I first, S last, const options& o) -> I {
  return filch::min_element(detail::stretch(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::orders<std::identity, detail::stretch<I>> Comp = std::ranges::less>
[[nodiscard]] auto min_element(I first, S last, Comp comp, const options& o) -> I {
  return filch::min_element(detail::stretch(first, last), std::move(comp), o);
}

/// The first of the largest elements. Otherwise like min_element(). In the words of the standard
/// library: std::ranges::max_element (std::max_element with a policy); Rayon's max_by has the last.
template <detail::splittable_range R, class Proj = std::identity,
          detail::orders<Proj, R> Comp = std::ranges::less>
[[nodiscard]] auto max_element(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::borrowed_iterator_t<R> {
  return detail::at(std::ranges::begin(range), detail::champion_of<true>(range, comp, proj, o));
}
template <detail::splittable_range R>
[[nodiscard]] auto max_element(R&& range, const options& o) -> std::ranges::borrowed_iterator_t<R> {
  return filch::max_element(std::forward<R>(range), std::ranges::less{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::orders<std::identity, R> Comp = std::ranges::less>
[[nodiscard]] auto max_element(R&& range, Comp comp, const options& o)
    -> std::ranges::borrowed_iterator_t<R> {
  return filch::max_element(std::forward<R>(range), std::move(comp), std::identity{}, o);
}
/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::orders<Proj, detail::stretch<I>> Comp = std::ranges::less>
[[nodiscard]] auto max_element(I first, S last, Comp comp = {}, Proj proj = {},
                               const options& o = {}) -> I {
  return filch::max_element(detail::stretch(first, last), std::move(comp), std::move(proj), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto max_element(I first, S last, const options& o) -> I {
  return filch::max_element(detail::stretch(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::orders<std::identity, detail::stretch<I>> Comp = std::ranges::less>
[[nodiscard]] auto max_element(I first, S last, Comp comp, const options& o) -> I {
  return filch::max_element(detail::stretch(first, last), std::move(comp), o);
}

/// The first of the smallest and the last of the largest elements, in one pass. Otherwise like
/// min_element(). In the words of the standard library: std::ranges::minmax_element.
///
///     auto [low, high] = filch::minmax_element(v);
template <detail::splittable_range R, class Proj = std::identity,
          detail::orders<Proj, R> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::minmax_element_result<std::ranges::borrowed_iterator_t<R>> {
  const auto found = detail::extremes_of(range, comp, proj, o);
  const auto first = std::ranges::begin(range);
  return {detail::at(first, found.least), detail::at(first, found.most)};
}
template <detail::splittable_range R>
[[nodiscard]] auto minmax_element(R&& range, const options& o)
    -> std::ranges::minmax_element_result<std::ranges::borrowed_iterator_t<R>> {
  return filch::minmax_element(std::forward<R>(range), std::ranges::less{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::orders<std::identity, R> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(R&& range, Comp comp, const options& o)
    -> std::ranges::minmax_element_result<std::ranges::borrowed_iterator_t<R>> {
  return filch::minmax_element(std::forward<R>(range), std::move(comp), std::identity{}, o);
}
/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::orders<Proj, detail::stretch<I>> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(I first, S last, Comp comp = {}, Proj proj = {},
                                  const options& o = {}) -> std::ranges::minmax_element_result<I> {
  return filch::minmax_element(detail::stretch(first, last), std::move(comp), std::move(proj), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto minmax_element(I first, S last, const options& o)
    -> std::ranges::minmax_element_result<I> {
  return filch::minmax_element(detail::stretch(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::orders<std::identity, detail::stretch<I>> Comp = std::ranges::less>
[[nodiscard]] auto minmax_element(I first, S last, Comp comp, const options& o)
    -> std::ranges::minmax_element_result<I> {
  return filch::minmax_element(detail::stretch(first, last), std::move(comp), o);
}

}  // namespace filch
