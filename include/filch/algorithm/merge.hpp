// merge and inplace_merge: merge sorted ranges.
#pragma once

#include "filch/detail/kernel/merge.hpp"

namespace filch {

/// Copies the elements of two sorted ranges to `out`, sorted. Of equal elements, those of the first
/// range come first. Standard library: std::ranges::merge.
///
/// How      Both ranges are cut into parts that belong together, and the parts are merged
///          independently.
/// Returns  The ends of both ranges and of what was written, as std::ranges::merge does.
/// Options  `grain`: one thread merges up to this many elements alone. `stop`: parts that have not
///          started are left out. `progress` is called once, at the end.
/// Throws   What `comp`, the projections and copying throw; `cancelled`. The input ranges stay
///          unchanged; what was written is valid but unspecified. `usage_error` if there are more
///          elements than std::size_t can count.
/// Threads, Memory  as sort().
/// Cost     At most n comparisons, and O(log n) for each part; no memory.
///
///     filch::merge(old_ones, new_ones, all.begin());
template <detail::splittable_range R1, detail::splittable_range R2, std::random_access_iterator O,
          class Comp = options, class Proj1 = options, class Proj2 = options>
requires detail::merges<R1, R2, O, Comp, Proj1, Proj2>
auto merge(R1&& first, R2&& second, O out, Comp&& comp = detail::left_out(),
           Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
           const options& o = {})
    -> std::ranges::merge_result<detail::borrowed<R1>, detail::borrowed<R2>, O> {
  return detail::merge_of(first, second, out,
                          detail::given<std::ranges::less>(o, comp, proj1, proj2));
}

/// Does the same for the elements from `first1` up to `last1` and from `first2` up to `last2`.
template <class I1, detail::splittable_end<I1> S1, class I2, detail::splittable_end<I2> S2, class O,
          class Comp = options, class Proj1 = options, class Proj2 = options>
auto merge(I1 first1, S1 last1, I2 first2, S2 last2, O out, Comp&& comp = detail::left_out(),
           Proj1&& proj1 = detail::left_out(), Proj2&& proj2 = detail::left_out(),
           const options& o = {})
    -> FILCH_RESULT_OF(filch::merge(detail::iter_range(first1, last1),
                                    detail::iter_range(first2, last2), out, comp, proj1, proj2, o));

/// Merges the two sorted parts of `range`, the one before `middle` and the one from `middle` on.
/// Equal elements keep their order. Standard library: std::ranges::inplace_merge.
///
/// Returns  The end of the range.
/// Options  As sort(), but `stop` is checked only before the merge begins.
/// Throws   As sort().
/// Cost     At most n comparisons, and O(log n) for each part, with memory for all elements during
///          the call. If there is no memory, or moving an element may throw, O(n log n) comparisons
///          without memory.
///
///     filch::inplace_merge(v, v.begin() + sorted_so_far);
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::sortable_by<R, Comp, Proj>
auto inplace_merge(R&& range, std::ranges::iterator_t<R> middle, Comp&& comp = detail::left_out(),
                   Proj&& proj = detail::left_out(), const options& o = {}) -> detail::borrowed<R> {
  auto by = detail::given<std::ranges::less>(o, comp, proj);
  return detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    detail::inplace_merge_with(fork, first, detail::size_of(first, middle), n, by.f, by.g, by.o);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
auto inplace_merge(I first, I middle, S last, Comp&& comp = detail::left_out(),
                   Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::inplace_merge(detail::iter_range(first, last), middle, comp, proj,
                                            o));

}  // namespace filch
