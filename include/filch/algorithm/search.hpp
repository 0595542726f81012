// adjacent_find and search: neighbours that belong together, and a range within a range.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/algorithm/subrange.hpp"
#include "filch/detail/kernel/search.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/detail/loop/launch.hpp"

namespace filch {

/// Finds the first element such that `f` holds for it and its successor: by default, the first of
/// two equal neighbours. Standard library: std::ranges::adjacent_find.
///
/// How, Options, Throws, Threads, Memory, Cost  as find_if().
/// Returns  An iterator to the element; the end of the range if there is none; or
///          std::ranges::dangling.
///
///     bool has_twins = filch::adjacent_find(v) != v.end();
template <detail::splittable_range R, class Proj = std::identity,
          detail::pairs_up<Proj, R> F = std::ranges::equal_to>
[[nodiscard]] auto adjacent_find(R&& range, F f = {}, Proj proj = {}, const options& o = {})
    -> detail::borrowed<R> {
  return detail::at(std::ranges::begin(range), detail::launch(o, [&] {
                      return detail::adjacent_find_with(detail::parallel_fork{},
                                                        std::ranges::begin(range),
                                                        detail::size_of(range), f, proj, o);
                    }));
}
template <detail::splittable_range R>
[[nodiscard]] auto adjacent_find(R&& range, const options& o) -> detail::borrowed<R> {
  return filch::adjacent_find(std::forward<R>(range), std::ranges::equal_to{}, std::identity{}, o);
}
template <detail::splittable_range R, detail::pairs_up<std::identity, R> F = std::ranges::equal_to>
[[nodiscard]] auto adjacent_find(R&& range, F f, const options& o) -> detail::borrowed<R> {
  return filch::adjacent_find(std::forward<R>(range), std::move(f), std::identity{}, o);
}
/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Proj = std::identity,
          detail::pairs_up<Proj, detail::iter_range<I>> F = std::ranges::equal_to>
[[nodiscard]] auto adjacent_find(I first, S last, F f = {}, Proj proj = {}, const options& o = {})
    -> I {
  return filch::adjacent_find(detail::iter_range(first, last), std::move(f), std::move(proj), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S>
[[nodiscard]] auto adjacent_find(I first, S last, const options& o) -> I {
  return filch::adjacent_find(detail::iter_range(first, last), o);
}
template <std::random_access_iterator I, detail::splittable_end<I> S,
          detail::pairs_up<std::identity, detail::iter_range<I>> F = std::ranges::equal_to>
[[nodiscard]] auto adjacent_find(I first, S last, F f, const options& o) -> I {
  return filch::adjacent_find(detail::iter_range(first, last), std::move(f), o);
}

/// Finds the first occurrence of all of `b` in `a`, compared with `f` (by default ==) after the
/// projections. Standard library: std::search, std::ranges::search.
///
/// How      As find_if(), over all positions at which `b` could begin. At each position the
///          elements are compared one by one: up to as many comparisons as the product of both
///          lengths.
/// Returns  The occurrence: as many elements as `b` has. An empty range at the end of `a` if there
///          is none, or at the beginning if `b` is empty; or std::ranges::dangling.
/// Options, Throws, Threads, Memory, Cost  as find_if().
///
///     auto i = filch::search(text, std::string_view("needle")).begin();
template <detail::splittable_range R1, detail::splittable_range R2, class Proj1 = std::identity,
          class Proj2 = std::identity,
          detail::matches<R1, R2, Proj1, Proj2> F = std::ranges::equal_to>
[[nodiscard]] auto search(R1&& a, R2&& b, F f = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
                          const options& o = {}) -> detail::borrowed_part<R1> {
  const std::size_t n = detail::size_of(a), m = detail::size_of(b);
  const auto first = std::ranges::begin(a);
  const std::size_t i = detail::launch(o, [&] {
    return detail::search_with(detail::parallel_fork{}, first, n, std::ranges::begin(b), m, f,
                               proj1, proj2, o);
  });
  return {detail::at(first, i), detail::at(first, m < n - i ? i + m : n)};
}
template <detail::splittable_range R1, detail::splittable_range R2>
[[nodiscard]] auto search(R1&& a, R2&& b, const options& o) -> detail::borrowed_part<R1> {
  return filch::search(std::forward<R1>(a), std::forward<R2>(b), std::ranges::equal_to{},
                       std::identity{}, std::identity{}, o);
}
template <detail::splittable_range R1, detail::splittable_range R2,
          detail::matches<R1, R2, std::identity, std::identity> F = std::ranges::equal_to>
[[nodiscard]] auto search(R1&& a, R2&& b, F f, const options& o) -> detail::borrowed_part<R1> {
  return filch::search(std::forward<R1>(a), std::forward<R2>(b), std::move(f), std::identity{},
                       std::identity{}, o);
}
/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2,
          class Proj1 = std::identity, class Proj2 = std::identity,
          detail::matches<detail::iter_range<I1>, detail::iter_range<I2>, Proj1, Proj2> F =
              std::ranges::equal_to>
[[nodiscard]] auto search(I1 first1, S1 last1, I2 first2, S2 last2, F f = {}, Proj1 proj1 = {},
                          Proj2 proj2 = {}, const options& o = {}) -> subrange<I1> {
  return filch::search(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                       std::move(f), std::move(proj1), std::move(proj2), o);
}
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2>
[[nodiscard]] auto search(I1 first1, S1 last1, I2 first2, S2 last2, const options& o)
    -> subrange<I1> {
  return filch::search(detail::iter_range(first1, last1), detail::iter_range(first2, last2), o);
}
template <
    std::random_access_iterator I1, detail::splittable_end<I1> S1, std::random_access_iterator I2,
    detail::splittable_end<I2> S2,
    detail::matches<detail::iter_range<I1>, detail::iter_range<I2>, std::identity, std::identity>
        F = std::ranges::equal_to>
[[nodiscard]] auto search(I1 first1, S1 last1, I2 first2, S2 last2, F f, const options& o)
    -> subrange<I1> {
  return filch::search(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                       std::move(f), o);
}

}  // namespace filch
