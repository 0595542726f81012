// Sorted ranges as sets: union, intersection, differences, inclusion.
#pragma once

#include "filch/detail/kernel/set_operations.hpp"

namespace filch {

/// Copies the elements that are in either of two sorted ranges to the elements from `out` on,
/// sorted. An element that occurs several times is copied as often as it occurs in the range that
/// has more of it, those of the first range first. Standard library: std::ranges::set_union.
///
/// How      Both ranges are cut at the same values. Every part first counts what it would write,
///          then writes it. Both ranges are sorted by comp(proj1(a), proj2(b)) (by < if there is no
///          `comp`). `out` has random access, points to existing elements, and overlaps with
///          neither.
/// Returns  The ends of both ranges, and the end of the copies (in1, in2, out).
/// Options  As parallel_for(); its numbers are the elements of both ranges. stop: checked before
///          the first copy.
/// Throws   As parallel_for(); what comparing and copying throw: then some copies may have been
///          made. `usage_error` if both ranges together have more elements than std::size_t can
///          count.
/// Threads, Memory  as parallel_for(). It allocates only a few numbers; without memory for those
///          the calling thread works alone.
/// Cost     Twice the comparisons of the sequential algorithm. Equal elements are not divided: one
///          thread does ranges of a single value. The caller alone does fewer than 8192 numbers, or
///          512 other elements, in both ranges.
///
///     auto end = filch::set_union(a, b, out.begin()).out;
template <class R1, class R2, class O, class Comp = options, class Proj1 = options,
          class Proj2 = options>
requires detail::set_arguments<R1, R2, O, Comp, Proj1, Proj2>
auto set_union(R1&& range1, R2&& range2, O out, Comp&& comp = detail::left_out(),
               Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
               const options& o = {}) -> detail::set_result<R1, R2, O> {
  return detail::set_operation_of<detail::union_operation>(
      range1, range2, out, detail::given<std::ranges::less>(o, comp, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2, class O,
          class Comp = options, class Proj1 = options, class Proj2 = options>
auto set_union(I1 first1, S1 last1, I2 first2, S2 last2, O out, Comp&& comp = detail::left_out(),
               Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
               const options& o = {})
    -> FILCH_RESULT_OF(filch::set_union(detail::iter_range(first1, last1),
                                        detail::iter_range(first2, last2), out, comp, proj1, proj2,
                                        o));

/// Copies the elements that are in both of two sorted ranges, from the first one. Standard library:
/// std::ranges::set_intersection. An element that occurs several times is copied as often as it
/// occurs in the range that has fewer of it. Otherwise like set_union().
template <class R1, class R2, class O, class Comp = options, class Proj1 = options,
          class Proj2 = options>
requires detail::set_arguments<R1, R2, O, Comp, Proj1, Proj2>
auto set_intersection(R1&& range1, R2&& range2, O out, Comp&& comp = detail::left_out(),
                      Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                      const options& o = {}) -> detail::set_result<R1, R2, O> {
  return detail::set_operation_of<detail::intersection_operation>(
      range1, range2, out, detail::given<std::ranges::less>(o, comp, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2, class O,
          class Comp = options, class Proj1 = options, class Proj2 = options>
auto set_intersection(I1 first1, S1 last1, I2 first2, S2 last2, O out,
                      Comp&& comp = detail::left_out(), Proj1&& proj1 = detail::left_out(),
                      Proj2&& proj2 = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::set_intersection(detail::iter_range(first1, last1),
                                               detail::iter_range(first2, last2), out, comp, proj1,
                                               proj2, o));

/// Copies the elements that are in the first of two sorted ranges and not in the second. Standard
/// library: std::ranges::set_difference. Of equal elements, it copies as many as the first range
/// has more than the second. Otherwise like set_union().
///
/// Returns  The end of the first range, and the end of the copies (in, out).
template <class R1, class R2, class O, class Comp = options, class Proj1 = options,
          class Proj2 = options>
requires detail::set_arguments<R1, R2, O, Comp, Proj1, Proj2>
auto set_difference(R1&& range1, R2&& range2, O out, Comp&& comp = detail::left_out(),
                    Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                    const options& o = {}) -> detail::difference_result<R1, O> {
  auto ends = detail::set_operation_of<detail::difference_operation>(
      range1, range2, out, detail::given<std::ranges::less>(o, comp, proj1, proj2));
  return {std::move(ends.in1), std::move(ends.out)};
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2, class O,
          class Comp = options, class Proj1 = options, class Proj2 = options>
auto set_difference(I1 first1, S1 last1, I2 first2, S2 last2, O out,
                    Comp&& comp = detail::left_out(), Proj1&& proj1 = detail::left_out(),
                    Proj2&& proj2 = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::set_difference(detail::iter_range(first1, last1),
                                             detail::iter_range(first2, last2), out, comp, proj1,
                                             proj2, o));

/// Copies the elements that are in one of two sorted ranges, but not in both. Standard library:
/// std::ranges::set_symmetric_difference. Of equal elements, it copies as many as one range has
/// more than the other. Otherwise like set_union().
template <class R1, class R2, class O, class Comp = options, class Proj1 = options,
          class Proj2 = options>
requires detail::set_arguments<R1, R2, O, Comp, Proj1, Proj2>
auto set_symmetric_difference(R1&& range1, R2&& range2, O out, Comp&& comp = detail::left_out(),
                              Proj1&& proj1 = detail::left_out(),
                              Proj2&& proj2 = detail::left_out(), const options& o = {})
    -> detail::set_result<R1, R2, O> {
  return detail::set_operation_of<detail::symmetric_operation>(
      range1, range2, out, detail::given<std::ranges::less>(o, comp, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2, class O,
          class Comp = options, class Proj1 = options, class Proj2 = options>
auto set_symmetric_difference(I1 first1, S1 last1, I2 first2, S2 last2, O out,
                              Comp&& comp = detail::left_out(), Proj1&& proj1 = detail::left_out(),
                              Proj2&& proj2 = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::set_symmetric_difference(detail::iter_range(first1, last1),
                                                       detail::iter_range(first2, last2), out, comp,
                                                       proj1, proj2, o));

/// Returns true if everything that is in `range2` is also in `range1`, at least as often. Both are
/// sorted, as for set_union(). Standard library: std::ranges::includes. It ends early if the answer
/// is false. The caller alone does fewer than 2048 elements in both ranges.
template <class R1, class R2, class Comp = options, class Proj1 = options, class Proj2 = options>
requires detail::comparable_ranges<R1, R2, Comp, Proj1, Proj2>
[[nodiscard]] auto includes(R1&& range1, R2&& range2, Comp&& comp = detail::left_out(),
                            Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
                            const options& o = {}) -> bool {
  return detail::includes_of(range1, range2,
                             detail::given<std::ranges::less>(o, comp, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2,
          class Comp = options, class Proj1 = options, class Proj2 = options>
[[nodiscard]] auto includes(I1 first1, S1 last1, I2 first2, S2 last2,
                            Comp&& comp = detail::left_out(), Proj1&& proj1 = detail::left_out(),
                            Proj2&& proj2 = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::includes(detail::iter_range(first1, last1),
                                       detail::iter_range(first2, last2), comp, proj1, proj2, o));

}  // namespace filch
