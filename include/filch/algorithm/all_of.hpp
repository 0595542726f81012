// Whether something holds for all, any or no elements.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/detail/split/finding.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/stretch.hpp"
#include "filch/options.hpp"

namespace filch {

/// Does `pred` hold for any element? With a projection: for proj(element). False for no elements.
/// In the words of the standard library: std::ranges::any_of; Rayon's any.
///
/// How      As find_any_if(): the beginning of the range is looked through by the calling thread,
///          and once the answer is known, no part starts.
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
/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::stretch<I>> Pred>
[[nodiscard]] auto any_of(I first, S last, Pred pred, const options& o = {}) -> bool {
  return filch::any_of(detail::stretch(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::stretch<I>> Pred>
[[nodiscard]] auto any_of(I first, S last, Pred pred, Proj proj, const options& o = {}) -> bool {
  return filch::any_of(detail::stretch(first, last), std::move(pred), std::move(proj), o);
}

/// Does `pred` hold for all elements? True for no elements. Otherwise like any_of(). In the words
/// of the standard library: std::ranges::all_of; Rayon's all.
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
/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::stretch<I>> Pred>
[[nodiscard]] auto all_of(I first, S last, Pred pred, const options& o = {}) -> bool {
  return filch::all_of(detail::stretch(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::stretch<I>> Pred>
[[nodiscard]] auto all_of(I first, S last, Pred pred, Proj proj, const options& o = {}) -> bool {
  return filch::all_of(detail::stretch(first, last), std::move(pred), std::move(proj), o);
}

/// Does `pred` hold for no element? True for no elements. Otherwise like any_of(). In the words of
/// the standard library: std::ranges::none_of.
template <detail::splittable_range R, detail::asks<std::identity, R> Pred>
[[nodiscard]] auto none_of(R&& range, Pred pred, const options& o = {}) -> bool {
  std::identity self;
  return detail::index_if<detail::hit_kind::any>(range, pred, self, o) == detail::size_of(range);
}
template <detail::splittable_range R, class Proj = std::identity, detail::asks<Proj, R> Pred>
[[nodiscard]] auto none_of(R&& range, Pred pred, Proj proj, const options& o = {}) -> bool {
  return detail::index_if<detail::hit_kind::any>(range, pred, proj, o) == detail::size_of(range);
}
/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::asks<std::identity, detail::stretch<I>> Pred>
[[nodiscard]] auto none_of(I first, S last, Pred pred, const options& o = {}) -> bool {
  return filch::none_of(detail::stretch(first, last), std::move(pred), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::asks<Proj, detail::stretch<I>> Pred>
[[nodiscard]] auto none_of(I first, S last, Pred pred, Proj proj, const options& o = {}) -> bool {
  return filch::none_of(detail::stretch(first, last), std::move(pred), std::move(proj), o);
}

}  // namespace filch
