// adjacent_find and search: neighbours that belong together, and a range within a range.
#pragma once

#include "filch/detail/kernel/neighbours.hpp"
#include "filch/detail/kernel/search.hpp"

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
requires detail::pairs_up<R, F, Proj>
[[nodiscard]] auto adjacent_find(R&& range, F&& f = detail::left_out(),
                                 Proj&& proj = detail::left_out(), const options& o = {})
    -> detail::borrowed<R> {
  auto by = detail::given<std::ranges::equal_to>(o, f, proj);
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::at(first, detail::adjacent_find_with(fork, first, n, by.f, by.g, by.o));
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class F = options, class Proj = options>
[[nodiscard]] auto adjacent_find(I first, S last, F&& f = detail::left_out(),
                                 Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::adjacent_find(detail::iter_range(first, last), f, proj, o));

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
template <class R1, class R2, class F = options, class Proj1 = options, class Proj2 = options>
requires detail::compares<R1, R2, F, Proj1, Proj2>
[[nodiscard]] auto search(R1&& a, R2&& b, F&& f = detail::left_out(),
                          Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                          const options& o = {}) -> detail::borrowed_part<R1> {
  auto by = detail::given<std::ranges::equal_to>(o, f, proj1, proj2);
  const std::size_t m = detail::size_of(b);
  const std::size_t i =
      detail::launch_on(a, by.o, [&](const auto& fork, auto first, std::size_t n) {
        return detail::search_with(fork, first, n, std::ranges::begin(b), m, by.f, by.g, by.h,
                                   by.o);
      });
  const auto from = detail::at(std::ranges::begin(a), i);
  return {from, m < detail::size_of(a) - i ? detail::at(from, m) : detail::end_of(a)};
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2,
          class F = options, class Proj1 = options, class Proj2 = options>
[[nodiscard]] auto search(I1 first1, S1 last1, I2 first2, S2 last2, F&& f = detail::left_out(),
                          Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                          const options& o = {})
    -> FILCH_RESULT_OF(filch::search(detail::iter_range(first1, last1),
                                     detail::iter_range(first2, last2), f, proj1, proj2, o));

}  // namespace filch
