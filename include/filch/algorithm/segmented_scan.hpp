// Segmented scans: running sums that start again with each segment.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/prefix.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/errors.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// The sum of some neighbouring items. If segments begin among them, it is the sum from the last
/// beginning on.
template <class T>
struct segment_sum {
  T value;
  bool begins;
};

/// starts(i) returns true if a segment begins with item `i`; item 0 always begins one. With `init`
/// the results are exclusive, without it inclusive.
template <class T, class Starts, std::random_access_iterator I, std::random_access_iterator O,
          class Op>
class segmented_work {
 public:
  using state = segment_sum<T>;

  segmented_work(Starts& starts, I first, O out, const std::optional<T>& init, Op& op)
      : starts_(starts), first_(first), out_(out), init_(init), op_(op) {}

  state reduce(std::size_t from, std::size_t to) {
    std::size_t begin = to - 1;
    while (begin != from && !is_start(begin)) --begin;
    const bool begins = is_start(begin);
    I i = detail::at(first_, begin);
    T sum = begins && init_ ? add(T(*init_), *i) : static_cast<T>(*i);
    while (++begin != to) sum = add(std::move(sum), *++i);
    return {std::move(sum), begins};
  }

  state combine(const state& a, state&& b) {
    if (b.begins) return std::move(b);
    return {static_cast<T>(std::invoke(op_, T(a.value), std::move(b.value))), a.begins};
  }

  state scan(std::size_t from, std::size_t to, const state* carry) {
    I i = detail::at(first_, from);
    O out = detail::at(out_, from);
    std::optional<T> sum;
    if (carry != nullptr) sum.emplace(carry->value);
    for (; from != to; ++from, ++i, ++out) {
      const bool begins = is_start(from);
      if (init_) {
        if (begins) sum.emplace(*init_);
        T next = add(T(*sum), *i);  // before the item is overwritten
        *out = std::move(*sum);
        sum.emplace(std::move(next));
      } else {
        if (begins)
          sum.emplace(static_cast<T>(*i));
        else
          sum.emplace(add(std::move(*sum), *i));
        *out = std::as_const(*sum);
      }
    }
    return {std::move(*sum), true};
  }

 private:
  bool is_start(std::size_t i) const { return i == 0 || starts_(i); }
  template <class Item>
  T add(T&& sum, Item&& item) const {
    return static_cast<T>(std::invoke(op_, std::move(sum), std::forward<Item>(item)));
  }

  Starts& starts_;
  I first_;
  O out_;
  const std::optional<T>& init_;
  Op& op_;
};

template <class T, fork_policy Fork, class Starts, class I, class O, class Op>
void segmented_with(const Fork& fork, Starts& starts, I first, std::size_t n, O out,
                    const std::optional<T>& init, Op& op, const options& o) {
  using work_type = segmented_work<T, Starts, I, O, Op>;
  work_type work(starts, first, out, init, op);
  constexpr bool cheap = known_reduction<Op, T, std::iter_reference_t<I>>;
  const bool fixed = o.deterministic && !(cheap && std::integral<T>);
  const even_blocks blocks = scan_blocks(fork, n, 2 * sizeof(T), fixed ? 1 : grain_of(o, 1), fixed);
  const directly direct = fixed ? directly::never : directly::always;
  block_scan<Fork, work_type>(fork, work, blocks, direct, o).run(std::nullopt);
}

template <class T, class Starts, splittable_range R, class O, class Op>
auto segmented_of(Starts& starts, std::size_t starts_known, R& range, O out,
                  const std::optional<T>& init, Op& op, const options& o)
    -> std::ranges::in_out_result<std::ranges::iterator_t<R>, O> {
  const std::size_t n = detail::size_of(range);
  if (starts_known < n)
    throw usage_error("filch: a scan of segments got " + std::to_string(n) + " values, but only " +
                      std::to_string(starts_known) + " keys or flags");
  const auto first = std::ranges::begin(range);
  launch(o, [&] { detail::segmented_with(parallel_fork{}, starts, first, n, out, init, op, o); });
  return {detail::at(first, n), detail::at(out, n)};
}

/// A segment begins where two neighbouring keys are not equal.
template <class I, class Equal>
auto key_starts(I keys, Equal& equal) {
  return [keys, &equal](std::size_t i) {
    return !static_cast<bool>(std::invoke(equal, *detail::at(keys, i - 1), *detail::at(keys, i)));
  };
}

/// A segment begins where a flag is set.
template <class I>
auto flag_starts(I flags) {
  return [flags](std::size_t i) { return static_cast<bool>(*detail::at(flags, i)); };
}

template <class Op, class T, class R, class O>
concept segment_scans_into =
    splittable_range<R> && std::copyable<T> && reduces<Op, T, std::ranges::range_reference_t<R>> &&
    std::random_access_iterator<O> && std::indirectly_writable<O, const T&>;

template <class Equal, class Keys>
concept compares_keys = splittable_range<Keys> &&
    std::indirect_equivalence_relation<Equal, std::ranges::iterator_t<Keys>>;

template <class Flags>
concept flag_range =
    splittable_range<Flags> && std::convertible_to < std::ranges::range_reference_t<Flags>,
bool > ;

/// Returns as many values as there are keys or flags.
template <class Keys, std::random_access_iterator I>
auto values_of(const Keys& keys, I values) {
  return detail::iter_range(values, detail::at(values, keys.size()));
}

template <class R, class O>
using segmented_result = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, O>;

}  // namespace detail

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
