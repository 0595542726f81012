// transform_inclusive_scan and transform_exclusive_scan: scans of the results of a function.
#pragma once

#include "filch/detail/kernel/scan.hpp"

namespace filch {

/// Scans f(element) of all elements like inclusive_scan(). `f` is called up to twice for each
/// element. Standard library: std::transform_inclusive_scan.
///
///     filch::transform_inclusive_scan(words, ends.begin(), std::plus{}, &std::string::size);
template <detail::splittable_range R, class O, class Op, class F>
requires detail::scans_into<R, O, detail::projected_value<F, std::ranges::iterator_t<R>>, Op, F>
auto transform_inclusive_scan(R&& range, O out, Op op, F f, const options& o = {})
    -> detail::scan_result<R, O> {
  using value = detail::projected_value<F, std::ranges::iterator_t<R>>;
  return detail::prefix_of<detail::scan_kind::inclusive, value>(range, f, out, op, o);
}

template <detail::splittable_range R, class O, class Op, class F, class T>
requires detail::scans_into<R, O, T, Op, F>
auto transform_inclusive_scan(R&& range, O out, Op op, F f, T init, const options& o = {})
    -> detail::scan_result<R, O> {
  return detail::prefix_of<detail::scan_kind::inclusive, T>(range, f, out, op, o, std::move(init));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class Op, class F>
auto transform_inclusive_scan(I first, S last, O out, Op op, F f, const options& o = {})
    -> FILCH_RESULT_OF(filch::transform_inclusive_scan(detail::iter_range(first, last), out,
                                                       std::move(op), std::move(f), o));

template <class I, detail::splittable_end<I> S, class O, class Op, class F, class T>
auto transform_inclusive_scan(I first, S last, O out, Op op, F f, T init, const options& o = {})
    -> FILCH_RESULT_OF(filch::transform_inclusive_scan(detail::iter_range(first, last), out,
                                                       std::move(op), std::move(f), std::move(init),
                                                       o));

/// Scans f(element) of all elements like exclusive_scan(). `f` is called up to twice for each
/// element. Standard library: std::transform_exclusive_scan.
///
///     filch::transform_exclusive_scan(words, starts.begin(), std::size_t{0}, std::plus{},
///                                     &std::string::size);
template <detail::splittable_range R, class O, class T, class Op, class F>
requires detail::scans_into<R, O, T, Op, F>
auto transform_exclusive_scan(R&& range, O out, T init, Op op, F f, const options& o = {})
    -> detail::scan_result<R, O> {
  return detail::prefix_of<detail::scan_kind::exclusive, T>(range, f, out, op, o, std::move(init));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class O, class T, class Op, class F>
auto transform_exclusive_scan(I first, S last, O out, T init, Op op, F f, const options& o = {})
    -> FILCH_RESULT_OF(filch::transform_exclusive_scan(detail::iter_range(first, last), out,
                                                       std::move(init), std::move(op), std::move(f),
                                                       o));

}  // namespace filch
