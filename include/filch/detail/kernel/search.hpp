// Finds a range within a range.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

/// Returns the first index at which `b` begins in `a`, or `n`.
template <fork_policy Fork, std::random_access_iterator I1, std::random_access_iterator I2, class F,
          class Proj1, class Proj2>
std::size_t search_with(const Fork& fork, I1 a, std::size_t n, I2 b, std::size_t m, F& f,
                        Proj1& proj1, Proj2& proj2, const options& o) {
  if (m == 0) return 0;
  if (m > n) return n;
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
  return i == positions ? n : i;
}

}  // namespace filch::detail
