// The result of one part of a reduction.
#pragma once

#include "filch/detail/kernel/lanes.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/reduce_blocks.hpp"

namespace filch::detail {

/// f(item) for the items of a range. The result of `f` is used before the item goes away:
/// std::identity returns a reference to an item that may be a temporary (vector<bool>).
template <std::random_access_iterator I, class F>
struct mapped_items {
  using cursor = I;
  using result = std::invoke_result_t<F&, std::iter_reference_t<I>>;
  static constexpr bool contiguous = std::contiguous_iterator<I>;
  static constexpr bool trivial = std::same_as<F, std::identity>;
  I first;
  F& f;

  cursor at(std::size_t i) const { return detail::at(first, i); }
  static void step(cursor& c) { ++c; }
  template <class Use>
  decltype(auto) use(const cursor& c, Use&& u) const {
    return u(std::invoke(f, *c));
  }
  /// Reads item `i` through a pointer, which compilers optimise best.
  auto by_index() const {
    return [p = std::to_address(first), &g = f](std::size_t i) -> result {
      return std::invoke(g, p[i]);
    };
  }
};

/// f(a, b) for the items of two ranges.
template <std::random_access_iterator I, std::random_access_iterator J, class F>
struct mapped_pairs {
  using cursor = std::pair<I, J>;
  using result = std::invoke_result_t<F&, std::iter_reference_t<I>, std::iter_reference_t<J>>;
  static constexpr bool contiguous = std::contiguous_iterator<I> && std::contiguous_iterator<J>;
  static constexpr bool trivial = number_op<F>::value &&
                                  std::is_arithmetic_v<std::iter_value_t<I>> &&
                                  std::is_arithmetic_v<std::iter_value_t<J>>;
  I first;
  J second;
  F& f;

  cursor at(std::size_t i) const { return {detail::at(first, i), detail::at(second, i)}; }
  static void step(cursor& c) {
    ++c.first;
    ++c.second;
  }
  template <class Use>
  decltype(auto) use(const cursor& c, Use&& u) const {
    return u(std::invoke(f, *c.first, *c.second));
  }
  auto by_index() const {
    return [p = std::to_address(first), q = std::to_address(second),
            &g = f](std::size_t i) -> result { return std::invoke(g, p[i], q[i]); };
  }
};

/// Can a T be made from an item, and combined with an item and with another T?
template <class Op, class T, class Item>
concept reduces =
    std::movable<T> && std::constructible_from<T, Item> && std::invocable<Op&, T, Item> &&
    std::invocable<Op&, T, T> && std::convertible_to<std::invoke_result_t<Op&, T, Item>, T> &&
    std::convertible_to<std::invoke_result_t<Op&, T, T>, T>;

/// Combines get(from), ..., get(to - 1), at least one, into a T: from left to right or, if the
/// operation is one of <functional> on numbers, in any order.
template <class T, class Op, class Get>
[[gnu::always_inline]] inline T fold_items(Op& op, const Get& get, std::size_t from,
                                           std::size_t to) {
  if constexpr (known_reduction<Op, T, std::invoke_result_t<const Get&, std::size_t>>) {
    return detail::fold_numbers<T>(lane_op<Op, T>{}, get, from, to);
  } else {
    T sum = static_cast<T>(get(from));
    while (++from != to) sum = static_cast<T>(std::invoke(op, std::move(sum), get(from)));
    return sum;
  }
}

/// Folds the items of a source into a value of type T, part by part.
template <class T, class Source, class Op>
class folding {
  static constexpr bool known = known_reduction<Op, T, typename Source::result>;

 public:
  folding(Source source, Op& op) : source_(source), op_(op) {}

  /// The number of items that is worth a fork.
  static constexpr std::size_t least = known && Source::trivial ? cheap_items : 1;

  /// Folds items [from, to), at least one.
  T operator()(std::size_t from, std::size_t to) const {
    if constexpr (Source::contiguous) {
      return detail::fold_items<T>(op_, source_.by_index(), from, to);
    } else {
      auto c = source_.at(from);
      T sum = start(c);
      while (++from != to) {
        Source::step(c);
        sum = add(std::move(sum), c);
      }
      return sum;
    }
  }
  /// The sum of one item.
  T start(const typename Source::cursor& c) const {
    return source_.use(
        c, [](auto&& item) { return static_cast<T>(static_cast<decltype(item)>(item)); });
  }
  /// The sum of the items up to that at `c`.
  T add(T&& sum, const typename Source::cursor& c) const {
    return source_.use(c, [&](auto&& item) {
      if constexpr (known)
        return lane_op<Op, T>{}(sum, static_cast<T>(item));
      else
        return static_cast<T>(std::invoke(op_, std::move(sum), static_cast<decltype(item)>(item)));
    });
  }
  /// Combines the results of two neighbouring parts.
  T combine(T&& a, T&& b) const {
    if constexpr (known)
      return lane_op<Op, T>{}(a, b);
    else
      return static_cast<T>(std::invoke(op_, std::move(a), std::move(b)));
  }

 private:
  Source source_;
  Op& op_;
};

/// Combines `init` and all items of a source, in their order.
template <fork_policy Fork, class Source, class T, class Op>
T fold_with(const Fork& fork, const Source& source, std::size_t n, T init, Op& op,
            const options& o) {
  using fold = folding<T, Source, Op>;
  const fold leaf(source, op);
  const auto combine = [&](T&& a, T&& b) { return leaf.combine(std::move(a), std::move(b)); };
  std::optional<T> sum = detail::reduce_as_asked(fork, n, o, leaf, combine, fold::least);
  if (!sum) return init;
  return leaf.combine(std::move(init), *std::move(sum));
}

}  // namespace filch::detail
