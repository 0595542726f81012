// Compares two ranges, pair by pair.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

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

template <which Which, splittable_range R1, splittable_range R2, class Given>
std::size_t mismatch_of(R1& a, R2& b, Given&& by) {
  return detail::launch_on(a, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::mismatch_with<Which>(fork, first, std::ranges::begin(b),
                                        std::min(n, detail::size_of(b)), by.f, by.g, by.h, by.o);
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
    return detail::mismatch_of<which::first>(a, b, detail::given(o, equal, proj1, proj2));
  } else {
    const auto same_rank = [&](auto&& x, auto&& y) {
      return !std::invoke(f, x, y) && !std::invoke(f, y, x);
    };
    return detail::mismatch_of<which::first>(a, b, detail::given(o, same_rank, proj1, proj2));
  }
}

/// Does `a` order before `b` lexicographically?
template <splittable_range R1, splittable_range R2, class Given>
bool is_before(R1& a, R2& b, Given&& by) {
  const std::size_t n = std::min(detail::size_of(a), detail::size_of(b));
  const std::size_t i = detail::first_of_other_rank(a, b, by.f, by.g, by.h, by.o);
  if (i == n) return detail::size_of(a) < detail::size_of(b);
  return static_cast<bool>(std::invoke(by.f,
                                       std::invoke(by.g, *detail::at(std::ranges::begin(a), i)),
                                       std::invoke(by.h, *detail::at(std::ranges::begin(b), i))));
}

}  // namespace filch::detail
