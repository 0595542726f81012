// min, max, minmax: copies of the smallest and the largest element.
#pragma once

#include "filch/detail/kernel/extremum.hpp"

namespace filch {

/// Returns a copy of the first of the smallest elements, in the order of `comp` after the
/// projection. Standard library: std::ranges::min. Rayon: min, min_by and min_by_key.
///
/// How      As min_element(), and one copy at the end.
/// Throws   `usage_error` for an empty range; otherwise as min_element().
/// Options, Threads, Memory, Cost  as min_element().
///
///     int least = filch::min(v);
///     person youngest = filch::min(people, {}, &person::age);
template <detail::copied_values R, class Comp = options, class Proj = options>
requires detail::orders<R, Comp, Proj>
[[nodiscard]] auto min(R&& range, Comp&& comp = detail::left_out(),
                       Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::range_value_t<R> {
  detail::require_elements(range);
  return static_cast<std::ranges::range_value_t<R>>(
      *detail::extremum_of<false>(range, detail::given<std::ranges::less>(o, comp, proj)));
}

/// Returns a copy of the first of the largest elements. Otherwise like min(). Standard library:
/// std::ranges::max.
template <detail::copied_values R, class Comp = options, class Proj = options>
requires detail::orders<R, Comp, Proj>
[[nodiscard]] auto max(R&& range, Comp&& comp = detail::left_out(),
                       Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::range_value_t<R> {
  detail::require_elements(range);
  return static_cast<std::ranges::range_value_t<R>>(
      *detail::extremum_of<true>(range, detail::given<std::ranges::less>(o, comp, proj)));
}

/// Returns copies of the first of the smallest and the last of the largest elements, in one pass.
/// Otherwise like min(). Standard library: std::ranges::minmax.
///
///     auto [low, high] = filch::minmax(v);
template <detail::copied_values R, class Comp = options, class Proj = options>
requires detail::orders<R, Comp, Proj>
[[nodiscard]] auto minmax(R&& range, Comp&& comp = detail::left_out(),
                          Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::minmax_result<std::ranges::range_value_t<R>> {
  detail::require_elements(range);
  const auto found = detail::extremes_of(range, detail::given<std::ranges::less>(o, comp, proj));
  using value = std::ranges::range_value_t<R>;
  return {static_cast<value>(*found.min), static_cast<value>(*found.max)};
}

}  // namespace filch
