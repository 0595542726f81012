// unique and unique_copy: keep only the first of equal neighbours.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/unique.hpp"

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
requires std::permutable<std::ranges::iterator_t<R>> && detail::compares_neighbours<R, Equal, Proj>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    R&& range, Equal&& equal = detail::left_out(), Proj&& proj = detail::left_out(),
    const options& o = {}) -> detail::borrowed_part<R> {
  auto by = detail::given<std::ranges::equal_to>(o, equal, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::unique_with(fork, first, n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Equal = options, class Proj = options>
[[nodiscard("filch: unique() erases nothing: erase what it returns")]] auto unique(
    I first, S last, Equal&& equal = detail::left_out(), Proj&& proj = detail::left_out(),
    const options& o = {})
    -> FILCH_RESULT_OF(filch::unique(detail::iter_range(first, last), equal, proj, o));

/// Copies the first element of every group of equal neighbours to the elements from `out` on.
/// Standard library: std::ranges::unique_copy. It compares like unique() and copies like copy_if().
template <detail::splittable_range R, detail::copied_to<R> O, class Equal = options,
          class Proj = options>
requires detail::compares_neighbours<R, Equal, Proj>
auto unique_copy(R&& range, O out, Equal&& equal = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> std::ranges::unique_copy_result<detail::borrowed<R>, O> {
  auto by = detail::given<std::ranges::equal_to>(o, equal, proj);
  O end = detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::unique_copy_with(fork, first, n, out, by.f, by.g, by.o);
  });
  return {detail::end_of(range), std::move(end)};
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class Equal = options,
          class Proj = options>
auto unique_copy(I first, S last, O out, Equal&& equal = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::unique_copy(detail::iter_range(first, last), out, equal, proj, o));

}  // namespace filch
