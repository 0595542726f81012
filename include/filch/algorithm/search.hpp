// adjacent_find and search: neighbours that belong together, and a range within a range.
#pragma once

#include "filch/detail/base/config.hpp"

#include <utility>

#include "filch/algorithm/subrange.hpp"
#include "filch/detail/kernel/optional_arguments.hpp"
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
template <detail::splittable_range R, class F = options, class Proj = options>
requires detail::pairs_up<detail::or_default_t<F, std::ranges::equal_to>,
                          detail::or_default_t<Proj>, R>
[[nodiscard]] auto adjacent_find(R&& range, F&& f = detail::left_out(),
                                 Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  auto&& holds = detail::or_default<std::ranges::equal_to>(f);
  auto&& key = detail::or_default(proj);
  const options& all = detail::options_of(o, f, proj);
  return detail::at(std::ranges::begin(range), detail::launch(all, [&] {
                      return detail::adjacent_find_with(detail::parallel_fork{},
                                                        std::ranges::begin(range),
                                                        detail::size_of(range), holds, key, all);
                    }));
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class F = options,
          class Proj = options>
[[nodiscard]] auto adjacent_find(I first, S last, F&& f = detail::left_out(),
                                 Proj&& proj = detail::left_out(), const options& o = {})
    -> decltype(filch::adjacent_find(detail::iter_range(first, last), f, proj, o)) {
  return filch::adjacent_find(detail::iter_range(first, last), f, proj, o);
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
template <detail::splittable_range R1, detail::splittable_range R2, class F = options,
          class Proj1 = options, class Proj2 = options>
requires detail::compares<detail::or_default_t<F, std::ranges::equal_to>, R1, R2,
                          detail::or_default_t<Proj1>, detail::or_default_t<Proj2>>
[[nodiscard]] auto search(R1&& a, R2&& b, F&& f = detail::left_out(),
                          Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                          const options& o = {}) -> detail::borrowed_part<R1> {
  auto&& holds = detail::or_default<std::ranges::equal_to>(f);
  auto&& key1 = detail::or_default(proj1);
  auto&& key2 = detail::or_default(proj2);
  const options& all = detail::options_of(o, f, proj1, proj2);
  const std::size_t n = detail::size_of(a), m = detail::size_of(b);
  const auto first = std::ranges::begin(a);
  const std::size_t i = detail::launch(all, [&] {
    return detail::search_with(detail::parallel_fork{}, first, n, std::ranges::begin(b), m, holds,
                               key1, key2, all);
  });
  return {detail::at(first, i), detail::at(first, m < n - i ? i + m : n)};
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <std::random_access_iterator I1, detail::splittable_end<I1> S1,
          std::random_access_iterator I2, detail::splittable_end<I2> S2, class F = options,
          class Proj1 = options, class Proj2 = options>
[[nodiscard]] auto search(I1 first1, S1 last1, I2 first2, S2 last2, F&& f = detail::left_out(),
                          Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                          const options& o = {})
    -> decltype(filch::search(detail::iter_range(first1, last1), detail::iter_range(first2, last2),
                              f, proj1, proj2, o)) {
  return filch::search(detail::iter_range(first1, last1), detail::iter_range(first2, last2), f,
                       proj1, proj2, o);
}

}  // namespace filch
