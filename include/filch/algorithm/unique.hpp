// unique and unique_copy: keep only the first of equal neighbours.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/algorithm/subrange.hpp"
#include "filch/detail/kernel/unique.hpp"
#include "filch/detail/loop/iter_range.hpp"

namespace filch {

/// Moves the first element of every group of equal neighbours to the front, in their order.
/// Standard library: std::ranges::unique.
///
/// How      Every element is compared with the one before it, several at once, before any element
///          moves: equal(proj(previous), proj(element)), an equivalence relation. Then as
///          remove_if().
/// Returns, Options, Throws, Threads, Memory, Cost  as remove_if(). Without `equal` and `proj`, the
///          caller alone does fewer than 8192 numbers.
///
///     filch::sort(v);
///     const auto doubles = filch::unique(v);
///     v.erase(doubles.begin(), doubles.end());
template <detail::splittable_range R>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<std::ranges::equal_to, std::identity, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, const options& o = {}) -> detail::borrowed_part<R> {
  std::ranges::equal_to equal;
  std::identity self;
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), equal, self, o);
}

template <detail::splittable_range R, class Equal = std::ranges::equal_to>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<Equal, std::identity, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, Equal&& equal, const options& o = {}) -> detail::borrowed_part<R> {
  std::identity self;
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), equal, self, o);
}

template <detail::splittable_range R, class Equal = std::ranges::equal_to,
          class Proj = std::identity>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<Equal, Proj, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, Equal&& equal, Proj proj, const options& o = {}) -> detail::borrowed_part<R> {
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), equal, proj, o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::permutable I, detail::splittable_end<I> S, class Equal = std::ranges::equal_to,
          class Proj = std::identity>
requires detail::compares_neighbours<Equal, Proj, I>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    I first, S last, Equal equal = {}, Proj proj = {}, const options& o = {}) -> subrange<I> {
  return detail::unique_of(first, detail::size_of(first, last), equal, proj, o);
}

template <std::permutable I, detail::splittable_end<I> S, class Equal = std::ranges::equal_to>
requires detail::compares_neighbours<Equal, std::identity, I>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(I first, S last,
                                                                                   Equal equal,
                                                                                   const options& o)
    -> subrange<I> {
  return filch::unique(detail::iter_range(first, last), equal, o);
}

template <std::permutable I, detail::splittable_end<I> S>
requires detail::compares_neighbours<std::ranges::equal_to, std::identity, I>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(I first, S last,
                                                                                   const options& o)
    -> subrange<I> {
  return filch::unique(detail::iter_range(first, last), o);
}

/// Copies the first element of every group of equal neighbours to the elements from `out` on.
/// Standard library: std::ranges::unique_copy. It compares like unique() and copies like copy_if().
template <detail::splittable_range R, std::random_access_iterator O,
          class Equal = std::ranges::equal_to, class Proj = std::identity>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<Equal, Proj, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, Equal&& equal, Proj proj = {}, const options& o = {})
    -> std::ranges::unique_copy_result<detail::borrowed<R>, O> {
  return detail::unique_copy_of(std::ranges::begin(range), detail::size_of(range), out, equal, proj,
                                o);
}

template <detail::splittable_range R, std::random_access_iterator O,
          class Equal = std::ranges::equal_to>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<Equal, std::identity, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, Equal&& equal, const options& o)
    -> std::ranges::unique_copy_result<detail::borrowed<R>, O> {
  return filch::unique_copy(std::forward<R>(range), out, equal, std::identity(), o);
}

template <detail::splittable_range R, std::random_access_iterator O>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<std::ranges::equal_to, std::identity, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, const options& o = {})
    -> std::ranges::unique_copy_result<detail::borrowed<R>, O> {
  return filch::unique_copy(std::forward<R>(range), out, std::ranges::equal_to(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O,
          class Equal = std::ranges::equal_to, class Proj = std::identity>
requires std::indirectly_copyable<I, O> && detail::compares_neighbours<Equal, Proj, I>
auto unique_copy(I first, S last, O out, Equal equal = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::unique_copy_result<I, O> {
  return filch::unique_copy(detail::iter_range(first, last), out, equal, std::move(proj), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O,
          class Equal = std::ranges::equal_to>
requires std::indirectly_copyable<I, O> && detail::compares_neighbours<Equal, std::identity, I>
auto unique_copy(I first, S last, O out, Equal equal, const options& o)
    -> std::ranges::unique_copy_result<I, O> {
  return filch::unique_copy(detail::iter_range(first, last), out, equal, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O>
requires std::indirectly_copyable<I, O> &&
    detail::compares_neighbours<std::ranges::equal_to, std::identity, I>
auto unique_copy(I first, S last, O out, const options& o)
    -> std::ranges::unique_copy_result<I, O> {
  return filch::unique_copy(detail::iter_range(first, last), out, o);
}

}  // namespace filch
