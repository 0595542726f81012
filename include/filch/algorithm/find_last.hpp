// find_last, find_last_if, find_last_if_not: the last element that equals a value, or for which a
// predicate holds.
#pragma once

#include "filch/detail/kernel/finding.hpp"

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
  return detail::rest_from(
      range, detail::index_if<detail::which::last>(range, detail::given(o, pred, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto find_last_if(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                                const options& o = {})
    -> FILCH_RESULT_OF(filch::find_last_if(detail::iter_range(first, last), std::move(pred), proj,
                                           o));

/// Finds the last element for which `pred` does not hold. Otherwise like find_last_if().
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto find_last_if_not(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                                    const options& o = {}) -> detail::borrowed_part<R> {
  return detail::rest_from(
      range, detail::index_if<detail::which::last, false>(range, detail::given(o, pred, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto find_last_if_not(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                                    const options& o = {})
    -> FILCH_RESULT_OF(filch::find_last_if_not(detail::iter_range(first, last), std::move(pred),
                                               proj, o));

/// Finds the last element with element == value, or proj(element) == value. Otherwise like
/// find_last_if(). Standard library: std::ranges::find_last (C++23).
///
///     auto i = filch::find_last(path, '/').begin();
template <detail::splittable_range R, class T, class Proj = options>
requires detail::findable<T, detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
[[nodiscard]] auto find_last(R&& range, const T& value, Proj&& proj = detail::left_out(),
                             const options& o = {}) -> detail::borrowed_part<R> {
  return detail::rest_from(range, detail::index_of<detail::which::last>(
                                      range, value, detail::given<std::identity>(o, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Proj = options>
[[nodiscard]] auto find_last(I first, S last, const T& value, Proj&& proj = detail::left_out(),
                             const options& o = {})
    -> FILCH_RESULT_OF(filch::find_last(detail::iter_range(first, last), value, proj, o));

}  // namespace filch
