// all_of, any_of, none_of: whether a predicate holds for all, any or no elements.
#pragma once

#include "filch/detail/kernel/finding.hpp"

namespace filch {

/// Returns true if `pred` holds for any element; with a projection, pred(proj(element)). False for
/// an empty range. Standard library: std::ranges::any_of. Rayon: any.
///
/// How      As find_any_if(): the calling thread searches the beginning of the range, and once the
///          answer is known, no further part starts.
/// Options, Throws, Threads, Memory, Cost  as find_if().
///
///     bool broken = filch::any_of(samples, [](double x) { return std::isnan(x); });
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto any_of(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                          const options& o = {}) -> bool {
  return detail::index_if<detail::which::any>(range, detail::given(o, pred, proj)) !=
         detail::size_of(range);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto any_of(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                          const options& o = {})
    -> FILCH_RESULT_OF(filch::any_of(detail::iter_range(first, last), std::move(pred), proj, o));

/// Returns true if `pred` holds for all elements. True for an empty range. Otherwise like any_of().
/// Standard library: std::ranges::all_of. Rayon: all.
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto all_of(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                          const options& o = {}) -> bool {
  return detail::index_if<detail::which::any, false>(range, detail::given(o, pred, proj)) ==
         detail::size_of(range);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto all_of(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                          const options& o = {})
    -> FILCH_RESULT_OF(filch::all_of(detail::iter_range(first, last), std::move(pred), proj, o));

/// Returns true if `pred` holds for no element. True for an empty range. Otherwise like any_of().
/// Standard library: std::ranges::none_of.
template <detail::splittable_range R, class Pred, class Proj = options>
requires detail::asks<Pred, detail::or_default_t<Proj>, R>
[[nodiscard]] auto none_of(R&& range, Pred pred, Proj&& proj = detail::left_out(),
                           const options& o = {}) -> bool {
  return detail::index_if<detail::which::any>(range, detail::given(o, pred, proj)) ==
         detail::size_of(range);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard]] auto none_of(I first, S last, Pred pred, Proj&& proj = detail::left_out(),
                           const options& o = {})
    -> FILCH_RESULT_OF(filch::none_of(detail::iter_range(first, last), std::move(pred), proj, o));

}  // namespace filch
