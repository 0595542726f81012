// Scans the parts of a range that begin at given elements, each by itself.
#pragma once

#include "filch/detail/kernel/scan.hpp"

namespace filch::detail {

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

/// `init` may be left out.
template <class T, class Starts, splittable_range R, class O, class Op, class... Init>
auto segmented_of(Starts starts, std::size_t starts_known, R& range, O out, Op& op,
                  const options& o, Init... init)
    -> std::ranges::in_out_result<std::ranges::iterator_t<R>, O> {
  const std::size_t n = detail::size_of(range);
  if (starts_known < n)
    throw usage_error("filch: a scan of segments got " + std::to_string(n) + " values, but only " +
                      std::to_string(starts_known) + " keys or flags");
  const auto first = std::ranges::begin(range);
  const std::optional<T> start(std::move(init)...);
  launch(o, [&] { detail::segmented_with(parallel_fork{}, starts, first, n, out, start, op, o); });
  return {detail::at(first, n), detail::at(out, n)};
}

/// A segment begins where two neighbouring keys are not equal.
template <splittable_range Keys, class Equal>
auto key_starts(Keys& keys, Equal& equal) {
  return [first = std::ranges::begin(keys), &equal](std::size_t i) {
    return !static_cast<bool>(std::invoke(equal, *detail::at(first, i - 1), *detail::at(first, i)));
  };
}

/// A segment begins where a flag is set.
template <splittable_range Flags>
auto flag_starts(Flags& flags) {
  return [first = std::ranges::begin(flags)](std::size_t i) {
    return static_cast<bool>(*detail::at(first, i));
  };
}

template <class R, class O, class T, class Op>
concept segment_scans_into = splittable_range<R> && scans_into<R, O, T, Op>;

template <class Keys, class Equal>
concept compares_keys = splittable_range<Keys> &&
    std::indirect_equivalence_relation<or_default_t<Equal, std::ranges::equal_to>,
                                       std::ranges::iterator_t<Keys>>;

template <class Flags>
concept flag_range =
    splittable_range<Flags> && std::convertible_to < std::ranges::range_reference_t<Flags>,
bool > ;

}  // namespace filch::detail
