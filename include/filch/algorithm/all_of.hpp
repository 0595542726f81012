// all_of, any_of, none_of: whether a predicate holds for all, any or no elements.
#pragma once

#include "filch/detail/base/config.hpp"

#include <functional>
#include <iterator>
#include <utility>

#include "filch/detail/kernel/finding.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/options.hpp"

namespace filch {

/// Returns true if `pred` holds for any element; with a projection, pred(proj(element)). False for
/// an empty range. Standard library: std::ranges::any_of. Rayon: any.
///
/// How      As find_any_if(): the calling thread searches the beginning of the range, and once the
///          answer is known, no further part starts.
/// Options, Throws, Threads, Memory, Cost  as find_if().
///
///     bool broken = filch::any_of(samples, [](double x) { return std::isnan(x); });
template <detail::splittable_range R, detail::asks<std::identity, R> Pred>
[[nodiscard]] auto any_of(R&& range, Pred pred, const options& o = {}) -> bool {
  std::identity self;
  return detail::index_if<detail::hit_kind::any>(range, pred, self, o) != detail::size_of(range);
}
template <detail::splittable_range R, class Proj = std::identity, detail::asks<Proj, R> Pred>
[[nodiscard]] auto any_of(R&& range, Pred pred, Proj proj, const options& o = {}) -> bool {
  return detail::index_if<detail::hit_kind::any>(range, pred, proj, o) != detail::size_of(range);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::iter_range<I>> Pred>
[[nodiscard]] auto any_of(I first, S last, Pred pred, const options& o = {}) -> bool {
  return filch::any_of(detail::iter_range(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::iter_range<I>> Pred>
[[nodiscard]] auto any_of(I first, S last, Pred pred, Proj proj, const options& o = {}) -> bool {
  return filch::any_of(detail::iter_range(first, last), std::move(pred), std::move(proj), o);
}

/// Returns true if `pred` holds for all elements. True for an empty range. Otherwise like any_of().
/// Standard library: std::ranges::all_of. Rayon: all.
template <detail::splittable_range R, detail::asks<std::identity, R> Pred>
[[nodiscard]] auto all_of(R&& range, Pred pred, const options& o = {}) -> bool {
  std::identity self;
  return detail::index_if<detail::hit_kind::any, false>(range, pred, self, o) ==
         detail::size_of(range);
}
template <detail::splittable_range R, class Proj = std::identity, detail::asks<Proj, R> Pred>
[[nodiscard]] auto all_of(R&& range, Pred pred, Proj proj, const options& o = {}) -> bool {
  return detail::index_if<detail::hit_kind::any, false>(range, pred, proj, o) ==
         detail::size_of(range);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::iter_range<I>> Pred>
[[nodiscard]] auto all_of(I first, S last, Pred pred, const options& o = {}) -> bool {
  return filch::all_of(detail::iter_range(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::iter_range<I>> Pred>
[[nodiscard]] auto all_of(I first, S last, Pred pred, Proj proj, const options& o = {}) -> bool {
  return filch::all_of(detail::iter_range(first, last), std::move(pred), std::move(proj), o);
}

/// Returns true if `pred` holds for no element. True for an empty range. Otherwise like any_of().
/// Standard library: std::ranges::none_of.
template <detail::splittable_range R, detail::asks<std::identity, R> Pred>
[[nodiscard]] auto none_of(R&& range, Pred pred, const options& o = {}) -> bool {
  std::identity self;
  return detail::index_if<detail::hit_kind::any>(range, pred, self, o) == detail::size_of(range);
}
template <detail::splittable_range R, class Proj = std::identity, detail::asks<Proj, R> Pred>
[[nodiscard]] auto none_of(R&& range, Pred pred, Proj proj, const options& o = {}) -> bool {
  return detail::index_if<detail::hit_kind::any>(range, pred, proj, o) == detail::size_of(range);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::iter_range<I>> Pred>
[[nodiscard]] auto none_of(I first, S last, Pred pred, const options& o = {}) -> bool {
  return filch::none_of(detail::iter_range(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::iter_range<I>> Pred>
[[nodiscard]] auto none_of(I first, S last, Pred pred, Proj proj, const options& o = {}) -> bool {
  return filch::none_of(detail::iter_range(first, last), std::move(pred), std::move(proj), o);
}

}  // namespace filch
