// remove and remove_if: move the elements that stay to the front of a range.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/remove.hpp"

namespace filch {

/// Moves the elements for which pred(proj(element)) is false to the front, in their order. The
/// range keeps its size; the caller erases the elements behind them. Standard library:
/// std::ranges::remove_if.
///
/// How      `pred` is called once for every element, several at once, before any element moves.
///          Then the elements behind the first gap move to scratch memory and back. If there is no
///          memory, or if a move may throw, the calling thread moves them in place. Without memory
///          for a bit for each element, the calling thread also calls `pred`, and swaps elements
///          meanwhile.
/// Returns  The elements that are left behind the kept ones: valid, with unspecified values.
/// Options  As parallel_for(). stop: checked while `pred` is called, before any element moves.
/// Throws   As parallel_for(); what moving throws. If `pred` throws or the loop is stopped, the
///          range is unchanged (std promises less); without memory for a bit for each element, it
///          is a permutation of its old elements. If a move throws, every element is valid, but
///          values may be lost, as with std.
/// Threads, Memory  as parallel_for().
/// Cost     One call of `pred` for each element, at most two moves, a bit of memory for each
///          element, and scratch memory for those that move.
///
///     const auto [first, last] = filch::remove_if(people, &person::is_old);
///     people.erase(first, last);
template <detail::splittable_range R, class Pred, class Proj = options>
requires std::permutable<std::ranges::iterator_t<R>> && detail::takes<R, Pred, Proj>
[[nodiscard("filch: remove_if() erases nothing: erase what it returns")]] auto remove_if(
    R&& range, Pred&& pred, Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed_part<R> {
  auto by = detail::given(o, pred, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::remove_if_with(fork, first, n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Pred, class Proj = options>
[[nodiscard("filch: remove_if() erases nothing: erase what it returns")]] auto remove_if(
    I first, S last, Pred&& pred, Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::remove_if(detail::iter_range(first, last), pred, proj, o));

/// Removes the elements that equal `value` in the same way; `value` must not be one of them.
/// Standard library: std::ranges::remove. The caller alone does fewer than 8192 numbers.
template <detail::splittable_range R, class T, class Proj = options>
requires std::permutable<std::ranges::iterator_t<R>> && detail::equals_value<R, T, Proj>
[[nodiscard("filch: remove() erases nothing: erase what it returns")]] auto remove(
    R&& range, const T& value, Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed_part<R> {
  auto by = detail::given<std::identity>(o, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::remove_with(fork, first, n, value, by.f, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class T, class Proj = options>
[[nodiscard("filch: remove() erases nothing: erase what it returns")]] auto remove(
    I first, S last, const T& value, Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::remove(detail::iter_range(first, last), value, proj, o));

}  // namespace filch
