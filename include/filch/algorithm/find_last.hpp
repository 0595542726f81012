// find_last, find_last_if, find_last_if_not: the last element that equals a value, or for which a
// predicate holds.
#pragma once

#include "filch/detail/base/config.hpp"

#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/algorithm/subrange.hpp"
#include "filch/detail/kernel/finding.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/options.hpp"

namespace filch {

/// Finds the last element for which `pred` holds; with a projection, pred(proj(element)). Standard
/// library: std::ranges::find_last_if (C++23). Rayon: find_last.
///
/// How      As find_if(), from the end of the range: a hit near the end is cheap.
/// Returns  The elements from that element on; an empty range at the end of `range` if there is
///          none; or std::ranges::dangling.
/// Throws   As find_if(), but of several exceptions the one of the element with the highest index,
///          because the search begins at the end.
/// Options, Threads, Memory, Cost  as find_if().
///
///     auto i = filch::find_last_if(log, [](const line& l) { return l.level == error; }).begin();
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto find_last_if(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                                const options& o = {}) -> detail::borrowed_part<R> {
  auto&& key = detail::or_default(proj);
  return detail::rest_from(range, detail::index_if<detail::hit_kind::last>(
                                      range, pred, key, detail::options_of(o, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Pred,
          class Proj = options>
[[nodiscard]] auto find_last_if(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                                const options& o = {})
    -> decltype(filch::find_last_if(detail::iter_range(first, last), std::move(pred), proj, o)) {
  return filch::find_last_if(detail::iter_range(first, last), std::move(pred), proj, o);
}

/// Finds the last element for which `pred` does not hold. Otherwise like find_last_if().
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto find_last_if_not(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                                    const options& o = {}) -> detail::borrowed_part<R> {
  auto&& key = detail::or_default(proj);
  return detail::rest_from(range, detail::index_if<detail::hit_kind::last, false>(
                                      range, pred, key, detail::options_of(o, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Pred,
          class Proj = options>
[[nodiscard]] auto find_last_if_not(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                                    const options& o = {})
    -> decltype(filch::find_last_if_not(detail::iter_range(first, last), std::move(pred), proj,
                                        o)) {
  return filch::find_last_if_not(detail::iter_range(first, last), std::move(pred), proj, o);
}

/// Finds the last element with element == value, or proj(element) == value. Otherwise like
/// find_last_if(). Standard library: std::ranges::find_last (C++23).
///
///     auto i = filch::find_last(path, '/').begin();
template <detail::splittable_range R, class T, class Proj = options>
requires detail::findable<T, detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
[[nodiscard]] auto find_last(R&& range, const T& value, Proj&& proj = detail::left_out(),
                             const options& o = {}) -> detail::borrowed_part<R> {
  auto&& key = detail::or_default(proj);
  return detail::rest_from(range, detail::index_of<detail::hit_kind::last>(
                                      range, value, key, detail::options_of(o, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class T, class Proj = options>
[[nodiscard]] auto find_last(I first, S last, const T& value, Proj&& proj = detail::left_out(),
                             const options& o = {})
    -> decltype(filch::find_last(detail::iter_range(first, last), value, proj, o)) {
  return filch::find_last(detail::iter_range(first, last), value, proj, o);
}

}  // namespace filch
