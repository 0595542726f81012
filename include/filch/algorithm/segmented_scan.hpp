// Segmented scans: running sums that start again with each segment.
#pragma once

#include "filch/detail/base/config.hpp"

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
template <class Keys, class R, class O, class Op = std::plus<>,
          detail::compares_keys<Keys> Equal = std::ranges::equal_to>
requires detail::segment_scans_into<Op, std::ranges::range_value_t<R>, R, O>
auto inclusive_scan_by_key(Keys&& keys, R&& values, O out, Op op = {}, Equal equal = {},
                           const options& o = {}) -> detail::segmented_result<R, O> {
  auto starts = detail::key_starts(std::ranges::begin(keys), equal);
  const std::optional<std::ranges::range_value_t<R>> no_init;
  return detail::segmented_of(starts, detail::size_of(keys), values, out, no_init, op, o);
}

template <class Keys, class R, class O, class Op = std::plus<>>
requires detail::compares_keys<std::ranges::equal_to, Keys> &&
    detail::segment_scans_into<Op, std::ranges::range_value_t<R>, R, O>
auto inclusive_scan_by_key(Keys&& keys, R&& values, O out, Op op, const options& o)
    -> detail::segmented_result<R, O> {
  return filch::inclusive_scan_by_key(std::forward<Keys>(keys), std::forward<R>(values), out,
                                      std::move(op), std::ranges::equal_to(), o);
}

template <class Keys, class R, class O>
requires detail::compares_keys<std::ranges::equal_to, Keys> &&
    detail::segment_scans_into<std::plus<>, std::ranges::range_value_t<R>, R, O>
auto inclusive_scan_by_key(Keys&& keys, R&& values, O out, const options& o)
    -> detail::segmented_result<R, O> {
  return filch::inclusive_scan_by_key(std::forward<Keys>(keys), std::forward<R>(values), out,
                                      std::plus<>(), std::ranges::equal_to(), o);
}

/// Does the same for the keys from `first` up to `last`, and as many values from `values` on.
template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class Op = std::plus<>,
          detail::compares_keys<detail::iter_range<K>> Equal = std::ranges::equal_to>
requires detail::segment_scans_into<Op, std::iter_value_t<I>, detail::iter_range<I>, O>
auto inclusive_scan_by_key(K first, S last, I values, O out, Op op = {}, Equal equal = {},
                           const options& o = {}) -> std::ranges::in_out_result<I, O> {
  const detail::iter_range keys(first, last);
  return filch::inclusive_scan_by_key(keys, detail::values_of(keys, values), out, std::move(op),
                                      std::move(equal), o);
}

template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class Op = std::plus<>>
requires detail::compares_keys<std::ranges::equal_to, detail::iter_range<K>> &&
    detail::segment_scans_into<Op, std::iter_value_t<I>, detail::iter_range<I>, O>
auto inclusive_scan_by_key(K first, S last, I values, O out, Op op, const options& o)
    -> std::ranges::in_out_result<I, O> {
  return filch::inclusive_scan_by_key(first, last, values, out, std::move(op),
                                      std::ranges::equal_to(), o);
}

template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O>
requires detail::compares_keys<std::ranges::equal_to, detail::iter_range<K>> &&
    detail::segment_scans_into<std::plus<>, std::iter_value_t<I>, detail::iter_range<I>, O>
auto inclusive_scan_by_key(K first, S last, I values, O out, const options& o)
    -> std::ranges::in_out_result<I, O> {
  return filch::inclusive_scan_by_key(first, last, values, out, std::plus<>(),
                                      std::ranges::equal_to(), o);
}

/// Scans each segment of `values` like exclusive_scan(); each segment begins with `init`. Otherwise
/// like inclusive_scan_by_key(). Thrust: exclusive_scan_by_key.
template <class Keys, class R, class O, class T, class Op = std::plus<>,
          detail::compares_keys<Keys> Equal = std::ranges::equal_to>
requires detail::segment_scans_into<Op, T, R, O>
auto exclusive_scan_by_key(Keys&& keys, R&& values, O out, T init, Op op = {}, Equal equal = {},
                           const options& o = {}) -> detail::segmented_result<R, O> {
  auto starts = detail::key_starts(std::ranges::begin(keys), equal);
  const std::optional<T> start(std::move(init));
  return detail::segmented_of(starts, detail::size_of(keys), values, out, start, op, o);
}

template <class Keys, class R, class O, class T, class Op = std::plus<>>
requires detail::compares_keys<std::ranges::equal_to, Keys> &&
    detail::segment_scans_into<Op, T, R, O>
auto exclusive_scan_by_key(Keys&& keys, R&& values, O out, T init, Op op, const options& o)
    -> detail::segmented_result<R, O> {
  return filch::exclusive_scan_by_key(std::forward<Keys>(keys), std::forward<R>(values), out,
                                      std::move(init), std::move(op), std::ranges::equal_to(), o);
}

template <class Keys, class R, class O, class T>
requires detail::compares_keys<std::ranges::equal_to, Keys> &&
    detail::segment_scans_into<std::plus<>, T, R, O>
auto exclusive_scan_by_key(Keys&& keys, R&& values, O out, T init, const options& o)
    -> detail::segmented_result<R, O> {
  return filch::exclusive_scan_by_key(std::forward<Keys>(keys), std::forward<R>(values), out,
                                      std::move(init), std::plus<>(), std::ranges::equal_to(), o);
}

/// Does the same for the keys from `first` up to `last`, and as many values from `values` on.
template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class T, class Op = std::plus<>,
          detail::compares_keys<detail::iter_range<K>> Equal = std::ranges::equal_to>
requires detail::segment_scans_into<Op, T, detail::iter_range<I>, O>
auto exclusive_scan_by_key(K first, S last, I values, O out, T init, Op op = {}, Equal equal = {},
                           const options& o = {}) -> std::ranges::in_out_result<I, O> {
  const detail::iter_range keys(first, last);
  return filch::exclusive_scan_by_key(keys, detail::values_of(keys, values), out, std::move(init),
                                      std::move(op), std::move(equal), o);
}

template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class T, class Op = std::plus<>>
requires detail::compares_keys<std::ranges::equal_to, detail::iter_range<K>> &&
    detail::segment_scans_into<Op, T, detail::iter_range<I>, O>
auto exclusive_scan_by_key(K first, S last, I values, O out, T init, Op op, const options& o)
    -> std::ranges::in_out_result<I, O> {
  return filch::exclusive_scan_by_key(first, last, values, out, std::move(init), std::move(op),
                                      std::ranges::equal_to(), o);
}

template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class T>
requires detail::compares_keys<std::ranges::equal_to, detail::iter_range<K>> &&
    detail::segment_scans_into<std::plus<>, T, detail::iter_range<I>, O>
auto exclusive_scan_by_key(K first, S last, I values, O out, T init, const options& o)
    -> std::ranges::in_out_result<I, O> {
  return filch::exclusive_scan_by_key(first, last, values, out, std::move(init), std::plus<>(),
                                      std::ranges::equal_to(), o);
}

/// Scans like inclusive_scan_by_key(), with a flag for each value instead of a key. A segment
/// begins with a value whose flag is set. The first value always begins one.
///
///     // flags  1 0 0 1 0
///     // rain   3 0 4 1 5    ->   3 3 7 1 6
///     filch::segmented_inclusive_scan(flags, rain, total.begin());
template <detail::flag_range Flags, class R, class O, class Op = std::plus<>>
requires detail::segment_scans_into<Op, std::ranges::range_value_t<R>, R, O>
auto segmented_inclusive_scan(Flags&& flags, R&& values, O out, Op op = {}, const options& o = {})
    -> detail::segmented_result<R, O> {
  auto starts = detail::flag_starts(std::ranges::begin(flags));
  const std::optional<std::ranges::range_value_t<R>> no_init;
  return detail::segmented_of(starts, detail::size_of(flags), values, out, no_init, op, o);
}

template <detail::flag_range Flags, class R, class O>
requires detail::segment_scans_into<std::plus<>, std::ranges::range_value_t<R>, R, O>
auto segmented_inclusive_scan(Flags&& flags, R&& values, O out, const options& o)
    -> detail::segmented_result<R, O> {
  return filch::segmented_inclusive_scan(std::forward<Flags>(flags), std::forward<R>(values), out,
                                         std::plus<>(), o);
}

/// Does the same for the flags from `first` up to `last`, and as many values from `values` on.
template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class Op = std::plus<>>
requires detail::flag_range<detail::iter_range<K>> &&
    detail::segment_scans_into<Op, std::iter_value_t<I>, detail::iter_range<I>, O>
auto segmented_inclusive_scan(K first, S last, I values, O out, Op op = {}, const options& o = {})
    -> std::ranges::in_out_result<I, O> {
  const detail::iter_range flags(first, last);
  return filch::segmented_inclusive_scan(flags, detail::values_of(flags, values), out,
                                         std::move(op), o);
}

template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O>
requires detail::flag_range<detail::iter_range<K>> &&
    detail::segment_scans_into<std::plus<>, std::iter_value_t<I>, detail::iter_range<I>, O>
auto segmented_inclusive_scan(K first, S last, I values, O out, const options& o)
    -> std::ranges::in_out_result<I, O> {
  return filch::segmented_inclusive_scan(first, last, values, out, std::plus<>(), o);
}

/// Scans like exclusive_scan_by_key(), with flags as in segmented_inclusive_scan().
template <detail::flag_range Flags, class R, class O, class T, class Op = std::plus<>>
requires detail::segment_scans_into<Op, T, R, O>
auto segmented_exclusive_scan(Flags&& flags, R&& values, O out, T init, Op op = {},
                              const options& o = {}) -> detail::segmented_result<R, O> {
  auto starts = detail::flag_starts(std::ranges::begin(flags));
  const std::optional<T> start(std::move(init));
  return detail::segmented_of(starts, detail::size_of(flags), values, out, start, op, o);
}

template <detail::flag_range Flags, class R, class O, class T>
requires detail::segment_scans_into<std::plus<>, T, R, O>
auto segmented_exclusive_scan(Flags&& flags, R&& values, O out, T init, const options& o)
    -> detail::segmented_result<R, O> {
  return filch::segmented_exclusive_scan(std::forward<Flags>(flags), std::forward<R>(values), out,
                                         std::move(init), std::plus<>(), o);
}

/// Does the same for the flags from `first` up to `last`, and as many values from `values` on.
template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class T, class Op = std::plus<>>
requires detail::flag_range<detail::iter_range<K>> &&
    detail::segment_scans_into<Op, T, detail::iter_range<I>, O>
auto segmented_exclusive_scan(K first, S last, I values, O out, T init, Op op = {},
                              const options& o = {}) -> std::ranges::in_out_result<I, O> {
  const detail::iter_range flags(first, last);
  return filch::segmented_exclusive_scan(flags, detail::values_of(flags, values), out,
                                         std::move(init), std::move(op), o);
}

template <std::random_access_iterator K, detail::splittable_end<K> S, std::random_access_iterator I,
          class O, class T>
requires detail::flag_range<detail::iter_range<K>> &&
    detail::segment_scans_into<std::plus<>, T, detail::iter_range<I>, O>
auto segmented_exclusive_scan(K first, S last, I values, O out, T init, const options& o)
    -> std::ranges::in_out_result<I, O> {
  return filch::segmented_exclusive_scan(first, last, values, out, std::move(init), std::plus<>(),
                                         o);
}

}  // namespace filch
