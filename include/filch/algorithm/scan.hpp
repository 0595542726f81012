// inclusive_scan and exclusive_scan: running sums, and other prefix results.
#pragma once

#include "filch/detail/kernel/scan.hpp"

namespace filch {

/// Writes one result for each element to `out`: what `op` makes of all elements up to this one.
/// These are first, first op second, first op second op third, and so on. `op` is std::plus by
/// default. Standard library: std::inclusive_scan, std::partial_sum.
///
/// How      Several threads take blocks that fit into a cache, from left to right. A thread that
///          has taken a block reads it twice. First it combines the elements, so that the blocks
///          behind it know what to begin with. Then it writes the results. So `op` is called up to
///          twice for each element, but the second time the element comes from the cache. `op` must
///          be associative, but need not be commutative. Several threads call it at once. For
///          floating-point numbers the rounding depends on the blocks. Sums of numbers by std::plus
///          run at memory speed. Results that are numbers, and take more memory than the caches
///          hold, are written past the caches, unless in place.
/// In place `out` may be the beginning of the range itself. Otherwise the results must not overlap
///          the elements.
/// Init     `init`, if there is one, comes before the first element. Then the results have the type
///          of `init`. Without it they have the type of the elements.
/// Returns  The end of the range (or std::ranges::dangling), and the end of what was written.
/// Options  deterministic: the same bits for any pool, number of workers, grain and run. grain: no
///          block has fewer elements. The others as parallel_for().
/// Throws   As parallel_for(). What has been written stays, also in place: some results, and the
///          rest unchanged. If there is no memory (a few words for each block), the caller does
///          everything alone.
/// Threads, Memory, Cost  as parallel_for(), and an allocation. The caller alone adds fewer than
///          8192 numbers.
///
///     filch::inclusive_scan(v, out.begin());
///     filch::inclusive_scan(v, v.begin(), std::multiplies{});          // in place
///     filch::inclusive_scan(bytes, sums.begin(), std::plus{}, 0L);     // adds longs
///
/// See also `exclusive_scan`, `transform_inclusive_scan`, `inclusive_scan_by_key`.
template <detail::splittable_range R, class O, class Op = options>
requires detail::scans_into<R, O, std::ranges::range_value_t<R>, Op>
auto inclusive_scan(R&& range, O out, Op&& op = detail::left_out(), const options& o = {})
    -> detail::scan_result<R, O> {
  auto by = detail::given<std::plus<>>(o, op);
  return detail::prefix_of<detail::scan_kind::inclusive, std::ranges::range_value_t<R>>(
      range, std::identity(), out, by.f, by.o);
}

template <detail::splittable_range R, class O, class Op, class T>
requires detail::scans_into<R, O, T, Op>
auto inclusive_scan(R&& range, O out, Op op, T init, const options& o = {})
    -> detail::scan_result<R, O> {
  return detail::prefix_of<detail::scan_kind::inclusive, T>(range, std::identity(), out, op, o,
                                                            std::move(init));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class Op = options>
auto inclusive_scan(I first, S last, O out, Op&& op = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::inclusive_scan(detail::iter_range(first, last), out, op, o));

template <class I, detail::splittable_end<I> S, class O, class Op, class T>
auto inclusive_scan(I first, S last, O out, Op op, T init, const options& o = {})
    -> FILCH_RESULT_OF(filch::inclusive_scan(detail::iter_range(first, last), out, std::move(op),
                                             std::move(init), o));

/// Writes one result for each element to `out`: what `op` makes of `init` and all elements before
/// this one. These are init, init op first, init op first op second, and so on. Otherwise like
/// inclusive_scan(). Standard library: std::exclusive_scan.
///
///     filch::exclusive_scan(sizes, offsets.begin(), std::size_t{0});
template <detail::splittable_range R, class O, class T, class Op = options>
requires detail::scans_into<R, O, T, Op>
auto exclusive_scan(R&& range, O out, T init, Op&& op = detail::left_out(), const options& o = {})
    -> detail::scan_result<R, O> {
  auto by = detail::given<std::plus<>>(o, op);
  return detail::prefix_of<detail::scan_kind::exclusive, T>(range, std::identity(), out, by.f, by.o,
                                                            std::move(init));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class T, class Op = options>
auto exclusive_scan(I first, S last, O out, T init, Op&& op = detail::left_out(),
                    const options& o = {})
    -> FILCH_RESULT_OF(filch::exclusive_scan(detail::iter_range(first, last), out, std::move(init),
                                             op, o));

}  // namespace filch
