// find_any and find_any_if: any element that equals a value, or for which a predicate holds.
#pragma once

#include "filch/detail/kernel/finding.hpp"

namespace filch {

/// Finds any element for which `pred` holds, not always the same one; with a projection,
/// pred(proj(element)). Rayon: find_any.
///
/// How      As find_if(), but after the first hit no further part starts. So it is faster than
///          find_if() if hits are rare and in the middle of the range.
/// Returns  An iterator to the element; the end of the range if there is none; or
///          std::ranges::dangling.
/// Options, Throws, Threads, Memory, Cost  as find_if().
///
///     auto i = filch::find_any_if(keys, [&](const key& k) { return opens(k, lock); });
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto find_any_if(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                               const options& o = {}) -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range),
                    detail::index_if<detail::which::any>(range, detail::given(o, pred, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto find_any_if(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                               const options& o = {})
    -> FILCH_RESULT_OF(filch::find_any_if(detail::iter_range(first, last), std::move(pred), proj,
                                          o));

/// Finds any element with element == value, or proj(element) == value. Otherwise like
/// find_any_if().
template <detail::splittable_range R, class T, class Proj = options>
requires detail::findable<T, detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
[[nodiscard]] auto find_any(R&& range, const T& value, Proj&& proj = detail::left_out(),
                            const options& o = {}) -> detail::borrowed<R> {
  return detail::at(
      std::ranges::begin(range),
      detail::index_of<detail::which::any>(range, value, detail::given<std::identity>(o, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Proj = options>
[[nodiscard]] auto find_any(I first, S last, const T& value, Proj&& proj = detail::left_out(),
                            const options& o = {})
    -> FILCH_RESULT_OF(filch::find_any(detail::iter_range(first, last), value, proj, o));

}  // namespace filch
