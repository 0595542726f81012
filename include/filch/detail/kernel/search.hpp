// Finds a range within a range, and equal neighbours.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

template <class R, class F, class Proj>
concept pairs_up =
    std::indirect_binary_predicate<or_default_t<F, std::ranges::equal_to>,
                                   std::projected<std::ranges::iterator_t<R>, or_default_t<Proj>>,
                                   std::projected<std::ranges::iterator_t<R>, or_default_t<Proj>>>;

/// Returns the index of the first element such that `f` holds for it and its successor, or `n`.
template <fork_policy Fork, std::random_access_iterator I, class F, class Proj>
std::size_t adjacent_find_with(const Fork& fork, I first, std::size_t n, F& f, Proj& proj,
                               const options& o) {
  if (n < 2) return n;
  std::size_t i = 0;
  if constexpr (plain_items<I> && std::same_as<Proj, std::identity> &&
                std::same_as<F, std::ranges::equal_to>) {
    const auto scan = [p = std::to_address(first)](std::size_t from, std::size_t to) {
      return detail::scan_numbers(from, to, [p](std::size_t k) { return p[k] == p[k + 1]; });
    };
    i = detail::find_hit<which::first>(fork, n - 1, o, scan, cheap_items);
  } else {
    const auto scan = [&](std::size_t from, std::size_t to) {
      for (I k = detail::at(first, from); from != to; ++from, ++k)
        if (std::invoke(f, std::invoke(proj, *k), std::invoke(proj, *std::ranges::next(k))))
          return from;
      return to;
    };
    i = detail::find_hit<which::first>(fork, n - 1, o, scan);
  }
  return i == n - 1 ? n : i;
}

/// Returns the first part of `a` that equals `b`; an empty one at the end if there is none.
template <fork_policy Fork, std::random_access_iterator I1, std::random_access_iterator I2, class F,
          class Proj1, class Proj2>
subrange<I1> search_with(const Fork& fork, I1 a, std::size_t n, I2 b, std::size_t m, F& f,
                         Proj1& proj1, Proj2& proj2, const options& o) {
  if (m == 0 || m > n) return {detail::at(a, m == 0 ? 0 : n), detail::at(a, m == 0 ? 0 : n)};
  const auto scan = [&](std::size_t from, std::size_t to) {
    for (I1 start = detail::at(a, from); from != to; ++from, ++start) {
      I1 i = start;
      I2 j = b;
      std::size_t k = 0;
      for (; k != m; ++k, ++i, ++j)
        if (!std::invoke(f, std::invoke(proj1, *i), std::invoke(proj2, *j))) break;
      if (k == m) return from;
    }
    return to;
  };
  const std::size_t positions = n - m + 1;
  constexpr bool plain = plain_items<I1> && plain_items<I2> && std::same_as<Proj1, std::identity> &&
                         std::same_as<Proj2, std::identity> &&
                         std::same_as<F, std::ranges::equal_to>;
  // At worst every index takes m comparisons.
  const std::size_t least = plain ? std::max<std::size_t>(cheap_items / m, 1) : 1;
  const std::size_t i = detail::find_hit<which::first>(fork, positions, o, scan, least);
  if (i == positions) return {detail::at(a, n), detail::at(a, n)};
  return {detail::at(a, i), detail::at(a, i + m)};
}

}  // namespace filch::detail
