// unique and unique_copy: keep only the first of equal neighbours.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/algorithm/subrange.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
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
template <detail::splittable_range R, class Equal = options, class Proj = options>
requires std::permutable<std::ranges::iterator_t<R>> &&
    detail::compares_neighbours<detail::or_default_t<Equal, std::ranges::equal_to>,
                                detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, Equal&& equal = detail::left_out(), Proj&& proj = detail::left_out(),
    const options& o = {}) -> detail::borrowed_part<R> {
  auto&& same = detail::or_default<std::ranges::equal_to>(equal);
  auto&& key = detail::or_default(proj);
  return detail::unique_of(std::ranges::begin(range), detail::size_of(range), same, key,
                           detail::options_of(o, equal, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Equal = options,
          class Proj = options>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    I first, S last, Equal&& equal = detail::left_out(), Proj&& proj = detail::left_out(),
    const options& o = {})
    -> decltype(filch::unique(detail::iter_range(first, last), equal, proj, o)) {
  return filch::unique(detail::iter_range(first, last), equal, proj, o);
}

/// Copies the first element of every group of equal neighbours to the elements from `out` on.
/// Standard library: std::ranges::unique_copy. It compares like unique() and copies like copy_if().
template <detail::splittable_range R, std::random_access_iterator O, class Equal = options,
          class Proj = options>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, O> &&
    detail::compares_neighbours<detail::or_default_t<Equal, std::ranges::equal_to>,
                                detail::or_default_t<Proj>, std::ranges::iterator_t<R>>
auto unique_copy(R&& range, O out, Equal&& equal = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::unique_copy_result<detail::borrowed<R>, O> {
  auto&& same = detail::or_default<std::ranges::equal_to>(equal);
  auto&& key = detail::or_default(proj);
  return detail::unique_copy_of(std::ranges::begin(range), detail::size_of(range), out, same, key,
                                detail::options_of(o, equal, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O,
          class Equal = options, class Proj = options>
auto unique_copy(I first, S last, O out, Equal&& equal = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> decltype(filch::unique_copy(detail::iter_range(first, last), out, equal, proj, o)) {
  return filch::unique_copy(detail::iter_range(first, last), out, equal, proj, o);
}

}  // namespace filch
