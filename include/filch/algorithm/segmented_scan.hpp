// Segmented scans: running sums that start again with each segment.
#pragma once

#include "filch/detail/kernel/segmented_scan.hpp"

namespace filch {

/// Scans each segment of `values` like inclusive_scan(), where a segment is a run of equal `keys`.
/// Thrust: inclusive_scan_by_key.
///
/// How      As inclusive_scan(). `equal` is called up to twice for two neighbours. `out` may be the
///          beginning of `values`, but not of `keys`. There may be more keys than values.
/// Returns  The end of `values` (or std::ranges::dangling), and the end of what was written.
/// Throws   As inclusive_scan(); `usage_error` if there are fewer keys than values.
/// Options, Threads, Memory, Cost  as inclusive_scan().
///
///     // days   1 1 1 2 2
///     // rain   3 0 4 1 5    ->   3 3 7 1 6
///     filch::inclusive_scan_by_key(days, rain, total.begin());
template <class Keys, class R, class O, class Op = options, class Equal = options>
requires detail::compares_keys<Keys, Equal> &&
    detail::segment_scans_into<R, O, std::ranges::range_value_t<R>, Op>
auto inclusive_scan_by_key(Keys&& keys, R&& values, O out, Op&& op = detail::left_out(),
                           Equal&& equal = detail::left_out(), const options& o = {})
    -> detail::scan_result<R, O> {
  auto by = detail::given<std::plus<>, std::ranges::equal_to>(o, op, equal);
  return detail::segmented_of<std::ranges::range_value_t<R>>(
      detail::key_starts(keys, by.g), detail::size_of(keys), values, out, by.f, by.o);
}

/// Does the same for the keys from `first` up to `last`, and as many values from `values` on.
template <class K, detail::splittable_end<K> S, std::random_access_iterator I, class O,
          class Op = options, class Equal = options>
auto inclusive_scan_by_key(K first, S last, I values, O out, Op&& op = detail::left_out(),
                           Equal&& equal = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::inclusive_scan_by_key(detail::iter_range(first, last),
                                                    detail::first_items(values, last - first), out,
                                                    op, equal, o));

/// Scans each segment of `values` like exclusive_scan(); each segment begins with `init`. Otherwise
/// like inclusive_scan_by_key(). Thrust: exclusive_scan_by_key.
template <class Keys, class R, class O, class T, class Op = options, class Equal = options>
requires detail::compares_keys<Keys, Equal> && detail::segment_scans_into<R, O, T, Op>
auto exclusive_scan_by_key(Keys&& keys, R&& values, O out, T init, Op&& op = detail::left_out(),
                           Equal&& equal = detail::left_out(), const options& o = {})
    -> detail::scan_result<R, O> {
  auto by = detail::given<std::plus<>, std::ranges::equal_to>(o, op, equal);
  return detail::segmented_of<T>(detail::key_starts(keys, by.g), detail::size_of(keys), values, out,
                                 by.f, by.o, std::move(init));
}

/// Does the same for the keys from `first` up to `last`, and as many values from `values` on.
template <class K, detail::splittable_end<K> S, std::random_access_iterator I, class O, class T,
          class Op = options, class Equal = options>
auto exclusive_scan_by_key(K first, S last, I values, O out, T init, Op&& op = detail::left_out(),
                           Equal&& equal = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::exclusive_scan_by_key(detail::iter_range(first, last),
                                                    detail::first_items(values, last - first), out,
                                                    std::move(init), op, equal, o));

/// Scans like inclusive_scan_by_key(), with a flag for each value instead of a key. A segment
/// begins with a value whose flag is set. The first value always begins one.
///
///     // flags  1 0 0 1 0
///     // rain   3 0 4 1 5    ->   3 3 7 1 6
///     filch::segmented_inclusive_scan(flags, rain, total.begin());
template <detail::flag_range Flags, class R, class O, class Op = options>
requires detail::segment_scans_into<R, O, std::ranges::range_value_t<R>, Op>
auto segmented_inclusive_scan(Flags&& flags, R&& values, O out, Op&& op = detail::left_out(),
                              const options& o = {}) -> detail::scan_result<R, O> {
  auto by = detail::given<std::plus<>>(o, op);
  return detail::segmented_of<std::ranges::range_value_t<R>>(
      detail::flag_starts(flags), detail::size_of(flags), values, out, by.f, by.o);
}

/// Does the same for the flags from `first` up to `last`, and as many values from `values` on.
template <class K, detail::splittable_end<K> S, std::random_access_iterator I, class O,
          class Op = options>
auto segmented_inclusive_scan(K first, S last, I values, O out, Op&& op = detail::left_out(),
                              const options& o = {})
    -> FILCH_RESULT_OF(filch::segmented_inclusive_scan(detail::iter_range(first, last),
                                                       detail::first_items(values, last - first),
                                                       out, op, o));

/// Scans like exclusive_scan_by_key(), with flags as in segmented_inclusive_scan().
template <detail::flag_range Flags, class R, class O, class T, class Op = options>
requires detail::segment_scans_into<R, O, T, Op>
auto segmented_exclusive_scan(Flags&& flags, R&& values, O out, T init,
                              Op&& op = detail::left_out(), const options& o = {})
    -> detail::scan_result<R, O> {
  auto by = detail::given<std::plus<>>(o, op);
  return detail::segmented_of<T>(detail::flag_starts(flags), detail::size_of(flags), values, out,
                                 by.f, by.o, std::move(init));
}

/// Does the same for the flags from `first` up to `last`, and as many values from `values` on.
template <class K, detail::splittable_end<K> S, std::random_access_iterator I, class O, class T,
          class Op = options>
auto segmented_exclusive_scan(K first, S last, I values, O out, T init,
                              Op&& op = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::segmented_exclusive_scan(detail::iter_range(first, last),
                                                       detail::first_items(values, last - first),
                                                       out, std::move(init), op, o));

}  // namespace filch
