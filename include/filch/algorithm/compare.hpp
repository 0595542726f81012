// mismatch, equal, lexicographical_compare: compare two ranges.
#pragma once

#include "filch/detail/kernel/compare.hpp"

namespace filch {

/// Finds the first position at which two ranges differ: where `f`, by default ==, does not hold for
/// the two elements after their projections. Standard library: std::ranges::mismatch.
///
/// How      As find_if(), over as many elements as both ranges have.
/// Returns  Both iterators; if nothing differs, those behind the last pair.
/// Options, Throws, Threads, Memory, Cost  as find_if(). Numbers, characters, enumerators and
///          pointers of one type are compared at memory speed; the caller alone compares fewer than
///          8192 of them.
///
///     auto [i, j] = filch::mismatch(before, after);
template <class R1, class R2, class F = options, class Proj1 = options, class Proj2 = options>
requires detail::compares<R1, R2, F, Proj1, Proj2>
[[nodiscard]] auto mismatch(R1&& a, R2&& b, F&& f = detail::left_out(),
                            Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                            const options& o = {})
    -> std::ranges::mismatch_result<detail::borrowed<R1>, detail::borrowed<R2>> {
  const std::size_t i = detail::mismatch_of<detail::which::first>(
      a, b, detail::given<std::ranges::equal_to>(o, f, proj1, proj2));
  return {detail::at(std::ranges::begin(a), i), detail::at(std::ranges::begin(b), i)};
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2,
          class F = options, class Proj1 = options, class Proj2 = options>
[[nodiscard]] auto mismatch(I1 first1, S1 last1, I2 first2, S2 last2, F&& f = detail::left_out(),
                            Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                            const options& o = {})
    -> FILCH_RESULT_OF(filch::mismatch(detail::iter_range(first1, last1),
                                       detail::iter_range(first2, last2), f, proj1, proj2, o));

/// Returns true if two ranges have the same length and equal elements. Otherwise like mismatch(),
/// but any difference ends the search. If the lengths differ, no element is compared. Standard
/// library: std::ranges::equal.
///
///     bool same = filch::equal(before, after);
template <class R1, class R2, class F = options, class Proj1 = options, class Proj2 = options>
requires detail::compares<R1, R2, F, Proj1, Proj2>
[[nodiscard]] auto equal(R1&& a, R2&& b, F&& f = detail::left_out(),
                         Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                         const options& o = {}) -> bool {
  const std::size_t n = detail::size_of(a);
  return n == detail::size_of(b) &&
         n == detail::mismatch_of<detail::which::any>(
                  a, b, detail::given<std::ranges::equal_to>(o, f, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2,
          class F = options, class Proj1 = options, class Proj2 = options>
[[nodiscard]] auto equal(I1 first1, S1 last1, I2 first2, S2 last2, F&& f = detail::left_out(),
                         Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                         const options& o = {})
    -> FILCH_RESULT_OF(filch::equal(detail::iter_range(first1, last1),
                                    detail::iter_range(first2, last2), f, proj1, proj2, o));

/// Returns true if `a` orders before `b` lexicographically, with `f` (by default <) as the order of
/// elements. Otherwise like mismatch(). Standard library: std::ranges::lexicographical_compare.
///
///     bool before = filch::lexicographical_compare(a, b);
template <class R1, class R2, class F = options, class Proj1 = options, class Proj2 = options>
requires detail::orders_both<R1, R2, F, Proj1, Proj2>
[[nodiscard]] auto lexicographical_compare(R1&& a, R2&& b, F&& f = detail::left_out(),
                                           Proj1&& proj1 = detail::left_out(),
                                           Proj2&& proj2 = detail::left_out(),
                                           const options& o = {}) -> bool {
  return detail::is_before(a, b, detail::given<std::ranges::less>(o, f, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2,
          class F = options, class Proj1 = options, class Proj2 = options>
[[nodiscard]] auto lexicographical_compare(I1 first1, S1 last1, I2 first2, S2 last2,
                                           F&& f = detail::left_out(),
                                           Proj1&& proj1 = detail::left_out(),
                                           Proj2&& proj2 = detail::left_out(),
                                           const options& o = {})
    -> FILCH_RESULT_OF(filch::lexicographical_compare(detail::iter_range(first1, last1),
                                                      detail::iter_range(first2, last2), f, proj1,
                                                      proj2, o));

}  // namespace filch
