// is_sorted and is_sorted_until: whether, and how far, a range is sorted.
#pragma once

#include "filch/detail/kernel/neighbours.hpp"

namespace filch {

/// Finds the end of the longest sorted prefix of a range, in the order of `f` (by default <) after
/// the projection: the first element that is smaller than the one before it. Standard library:
/// std::ranges::is_sorted_until.
///
/// How, Options, Throws, Threads, Memory, Cost  as find_if(). Numbers, characters, enumerators and
///          pointers in their usual order are compared at memory speed; the caller alone compares
///          fewer than 8192 of them.
/// Returns  An iterator to that element; the end of the range if there is none; or
///          std::ranges::dangling.
///
///     auto first_late = filch::is_sorted_until(events, {}, &event::time);
template <detail::splittable_range R, class F = options, class Proj = options>
requires detail::orders<R, F, Proj>
[[nodiscard]] auto is_sorted_until(R&& range, F&& f = detail::left_out(),
                                   Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range),
                    detail::descent_of<detail::which::first>(
                        range, detail::given<std::ranges::less>(o, f, proj)));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class F = options, class Proj = options>
[[nodiscard]] auto is_sorted_until(I first, S last, F&& f = detail::left_out(),
                                   Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::is_sorted_until(detail::iter_range(first, last), f, proj, o));

/// Returns true if a range is sorted. Otherwise like is_sorted_until(), but any descent ends the
/// search. Standard library: std::ranges::is_sorted.
///
///     if (!filch::is_sorted(v)) filch::sort(v);
template <detail::splittable_range R, class F = options, class Proj = options>
requires detail::orders<R, F, Proj>
[[nodiscard]] auto is_sorted(R&& range, F&& f = detail::left_out(),
                             Proj&& proj = detail::left_out(), const options& o = {}) -> bool {
  return detail::descent_of<detail::which::any>(
             range, detail::given<std::ranges::less>(o, f, proj)) == detail::size_of(range);
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class F = options, class Proj = options>
[[nodiscard]] auto is_sorted(I first, S last, F&& f = detail::left_out(),
                             Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::is_sorted(detail::iter_range(first, last), f, proj, o));

}  // namespace filch
