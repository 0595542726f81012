// gather and scatter: copy elements from, or to, positions that a second range gives.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/scatter.hpp"

namespace filch {

/// Copies range[indices[0]], range[indices[1]], ... to the elements from `out` on. An index may
/// occur any number of times. Every index must be within the range, which is not checked.
///
/// How      `out` has random access and overlaps with neither range.
/// Returns  The end of the copies.
/// Options, Threads, Memory  as parallel_for().
/// Throws   As parallel_for(); what copying throws: then some copies have been made.
/// Cost     A copy for each index. Fewer than 2048 are not forked.
///
///     filch::gather(people, winners, podium.begin());  // podium[i] = people[winners[i]]
template <detail::splittable_range R, detail::range_of_indices P, detail::copied_to<R> O>
auto gather(R&& range, P&& indices, O out, const options& o = {}) -> O {
  return detail::launch_on(indices, o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::gather_with(fork, std::ranges::begin(range), first, n, out, o);
  });
}

/// Does the same for the elements from `first` up to `last` and the indices from `indices` up to
/// `indices_end`.
template <class I, detail::splittable_end<I> S, class P, detail::splittable_end<P> E, class O>
auto gather(I first, S last, P indices, E indices_end, O out, const options& o = {})
    -> FILCH_RESULT_OF(filch::gather(detail::iter_range(first, last),
                                     detail::iter_range(indices, indices_end), out, o));

/// Copies element i of `range` to out[indices[i]], until the shorter of the two ranges ends. No
/// index may occur twice, because two threads would write there at once. Every index must be that
/// of an existing element from `out` on. Neither is checked.
///
/// Returns  The position in the range where the copying ended. Otherwise like gather().
///
///     filch::scatter(values, ranks, sorted.begin());  // sorted[ranks[i]] = values[i]
template <detail::splittable_range R, detail::range_of_indices P, detail::copied_to<R> O>
auto scatter(R&& range, P&& indices, O out, const options& o = {}) -> detail::borrowed<R> {
  return detail::launch_on(range, o, [&](const auto& fork, auto first, std::size_t n) {
    n = std::min(n, detail::size_of(indices));
    return detail::scatter_with(fork, first, std::ranges::begin(indices), n, out, o);
  });
}

/// Does the same for the elements from `first` up to `last` and the indices from `indices` up to
/// `indices_end`.
template <class I, detail::splittable_end<I> S, class P, detail::splittable_end<P> E, class O>
auto scatter(I first, S last, P indices, E indices_end, O out, const options& o = {})
    -> FILCH_RESULT_OF(filch::scatter(detail::iter_range(first, last),
                                      detail::iter_range(indices, indices_end), out, o));

}  // namespace filch
