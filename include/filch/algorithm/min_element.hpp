// min_element, max_element, minmax_element: where the smallest and the largest element are.
#pragma once

#include "filch/detail/base/config.hpp"

#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/detail/kernel/extremum.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
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
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::orders<detail::or_default_t<Comp, std::ranges::less>, detail::or_default_t<Proj>,
                        R>
[[nodiscard]] auto min_element(R&& range, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  auto&& before = detail::or_default<std::ranges::less>(comp);
  auto&& key = detail::or_default(proj);
  return detail::at(
      std::ranges::begin(range),
      detail::extremum_of<false>(range, before, key, detail::options_of(o, comp, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Comp = options,
          class Proj = options>
[[nodiscard]] auto min_element(I first, S last, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> decltype(filch::min_element(detail::iter_range(first, last), comp, proj, o)) {
  return filch::min_element(detail::iter_range(first, last), comp, proj, o);
}

/// Finds the first of the largest elements. Otherwise like min_element(). Standard library:
/// std::ranges::max_element (std::max_element with a policy). Rayon's max_by finds the last one.
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::orders<detail::or_default_t<Comp, std::ranges::less>, detail::or_default_t<Proj>,
                        R>
[[nodiscard]] auto max_element(R&& range, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  auto&& before = detail::or_default<std::ranges::less>(comp);
  auto&& key = detail::or_default(proj);
  return detail::at(
      std::ranges::begin(range),
      detail::extremum_of<true>(range, before, key, detail::options_of(o, comp, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Comp = options,
          class Proj = options>
[[nodiscard]] auto max_element(I first, S last, Comp&& comp = detail::left_out(),
                               Proj&& proj = detail::left_out(), const options& o = {})
    -> decltype(filch::max_element(detail::iter_range(first, last), comp, proj, o)) {
  return filch::max_element(detail::iter_range(first, last), comp, proj, o);
}

/// Finds the first of the smallest and the last of the largest elements, in one pass. Otherwise
/// like min_element(). Standard library: std::ranges::minmax_element.
///
///     auto [low, high] = filch::minmax_element(v);
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::orders<detail::or_default_t<Comp, std::ranges::less>, detail::or_default_t<Proj>,
                        R>
[[nodiscard]] auto minmax_element(R&& range, Comp&& comp = detail::left_out(),
                                  Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::minmax_element_result<detail::borrowed<R>> {
  auto&& before = detail::or_default<std::ranges::less>(comp);
  auto&& key = detail::or_default(proj);
  const auto found = detail::extremes_of(range, before, key, detail::options_of(o, comp, proj));
  const auto first = std::ranges::begin(range);
  return {detail::at(first, found.least), detail::at(first, found.most)};
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Comp = options,
          class Proj = options>
[[nodiscard]] auto minmax_element(I first, S last, Comp&& comp = detail::left_out(),
                                  Proj&& proj = detail::left_out(), const options& o = {})
    -> decltype(filch::minmax_element(detail::iter_range(first, last), comp, proj, o)) {
  return filch::minmax_element(detail::iter_range(first, last), comp, proj, o);
}

}  // namespace filch
