// find_any and find_any_if: any element that equals a value, or for which a predicate holds.
#pragma once

#include "filch/detail/base/config.hpp"

#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/detail/kernel/finding.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/options.hpp"

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
template <detail::splittable_range R, detail::asks<std::identity, R> Pred>
[[nodiscard]] auto find_any_if(R&& range, Pred pred, const options& o = {}) -> detail::found_in<R> {
  std::identity self;
  return detail::at(std::ranges::begin(range),
                    detail::index_if<detail::hit_kind::any>(range, pred, self, o));
}
template <detail::splittable_range R, class Proj = std::identity, detail::asks<Proj, R> Pred>
[[nodiscard]] auto find_any_if(R&& range, Pred pred, Proj proj, const options& o = {})
    -> detail::found_in<R> {
  return detail::at(std::ranges::begin(range),
                    detail::index_if<detail::hit_kind::any>(range, pred, proj, o));
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::iter_range<I>> Pred>
[[nodiscard]] auto find_any_if(I first, S last, Pred pred, const options& o = {}) -> I {
  return filch::find_any_if(detail::iter_range(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::iter_range<I>> Pred>
[[nodiscard]] auto find_any_if(I first, S last, Pred pred, Proj proj, const options& o = {}) -> I {
  return filch::find_any_if(detail::iter_range(first, last), std::move(pred), std::move(proj), o);
}

/// Finds any element with element == value, or proj(element) == value. Otherwise like
/// find_any_if().
template <detail::splittable_range R, class T>
requires detail::findable<T, std::identity, std::ranges::iterator_t<R>>
[[nodiscard]] auto find_any(R&& range, const T& value, const options& o = {})
    -> detail::found_in<R> {
  std::identity self;
  return detail::at(std::ranges::begin(range),
                    detail::index_of<detail::hit_kind::any>(range, value, self, o));
}
template <detail::splittable_range R, class T, class Proj = std::identity>
requires detail::findable<T, Proj, std::ranges::iterator_t<R>>
[[nodiscard]] auto find_any(R&& range, const T& value, Proj proj, const options& o = {})
    -> detail::found_in<R> {
  return detail::at(std::ranges::begin(range),
                    detail::index_of<detail::hit_kind::any>(range, value, proj, o));
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class T>
requires detail::findable<T, std::identity, I>
[[nodiscard]] I find_any(I first, S last, const T& value, const options& o = {}) {
  return filch::find_any(detail::iter_range(first, last), value, o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class T,
          class Proj = std::identity>
requires detail::findable<T, Proj, I>
[[nodiscard]] I find_any(I first, S last, const T& value, Proj proj, const options& o = {}) {
  return filch::find_any(detail::iter_range(first, last), value, std::move(proj), o);
}

}  // namespace filch
