// Compares two ranges, pair by pair.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>

#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"

namespace filch::detail {

template <class F, class R1, class R2, class Proj1, class Proj2>
concept orders_both =
    std::indirect_strict_weak_order<F, std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                    std::projected<std::ranges::iterator_t<R2>, Proj2>>;

/// Both ranges have numbers of one type, and == compares them.
template <class I1, class I2, class F, class Proj1, class Proj2>
concept plain_pairs = plain_items<I1> && plain_items<I2> &&
    std::same_as<std::iter_value_t<I1>, std::iter_value_t<I2>> &&
    (std::same_as<F, std::ranges::equal_to> || std::same_as<F, std::equal_to<>>)&&std::same_as<
        Proj1, std::identity>&& std::same_as<Proj2, std::identity>;

/// Returns the first index of [0, n), or any index, at which two ranges differ; `n` if they do not.
template <which Which, fork_policy Fork, class I1, class I2, class F, class Proj1, class Proj2>
std::size_t mismatch_with(const Fork& fork, I1 a, I2 b, std::size_t n, F& f, Proj1& proj1,
                          Proj2& proj2, const options& o) {
  if constexpr (plain_pairs<I1, I2, F, Proj1, Proj2>) {
    if (n == 0) return 0;
    const auto scan = [p = std::to_address(a), q = std::to_address(b)](std::size_t from,
                                                                       std::size_t to) {
      return detail::scan_for_difference(p, q, from, to);
    };
    return detail::find_hit<Which>(fork, n, o, scan, cheap_items);
  } else {
    const auto scan = [&](std::size_t from, std::size_t to) {
      I1 i = detail::at(a, from);
      for (I2 j = detail::at(b, from); from != to; ++from, ++i, ++j)
        if (!std::invoke(f, std::invoke(proj1, *i), std::invoke(proj2, *j))) return from;
      return to;
    };
    return detail::find_hit<Which>(fork, n, o, scan);
  }
}

template <which Which, splittable_range R1, splittable_range R2, class F, class Proj1, class Proj2>
std::size_t mismatch_of(R1& a, R2& b, F& f, Proj1& proj1, Proj2& proj2, const options& o) {
  return launch(o, [&] {
    return detail::mismatch_with<Which>(
        parallel_fork{}, std::ranges::begin(a), std::ranges::begin(b),
        std::min(detail::size_of(a), detail::size_of(b)), f, proj1, proj2, o);
  });
}

/// Returns the first index at which one of the two elements orders before the other; the shorter
/// length if there is none.
template <splittable_range R1, splittable_range R2, class F, class Proj1, class Proj2>
std::size_t first_of_other_rank(R1& a, R2& b, F& f, Proj1& proj1, Proj2& proj2, const options& o) {
  if constexpr (std::same_as<F, std::ranges::less> && std::same_as<Proj1, std::identity> &&
                std::same_as<Proj2, std::identity> &&
                std::integral<std::ranges::range_value_t<R1>> &&
                std::same_as<std::ranges::range_value_t<R1>, std::ranges::range_value_t<R2>>) {
    std::ranges::equal_to equal;  // integers are equal if neither is smaller
    return detail::mismatch_of<which::first>(a, b, equal, proj1, proj2, o);
  } else {
    const auto same_rank = [&](auto&& x, auto&& y) {
      return !std::invoke(f, x, y) && !std::invoke(f, y, x);
    };
    return detail::mismatch_of<which::first>(a, b, same_rank, proj1, proj2, o);
  }
}

/// Does `a` order before `b` lexicographically?
template <splittable_range R1, splittable_range R2, class F, class Proj1, class Proj2>
bool is_before(R1& a, R2& b, F& f, Proj1& proj1, Proj2& proj2, const options& o) {
  const std::size_t n = std::min(detail::size_of(a), detail::size_of(b));
  const std::size_t i = detail::first_of_other_rank(a, b, f, proj1, proj2, o);
  if (i == n) return detail::size_of(a) < detail::size_of(b);
  return static_cast<bool>(std::invoke(f, std::invoke(proj1, *detail::at(std::ranges::begin(a), i)),
                                       std::invoke(proj2, *detail::at(std::ranges::begin(b), i))));
}

}  // namespace filch::detail
