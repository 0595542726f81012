// Finds the first element that is less than its predecessor.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

/// Returns the first index (or any index) whose element is smaller than the one before it; `n` if
/// there is none.
template <which Which, fork_policy Fork, std::random_access_iterator I, class Comp, class Proj>
std::size_t descent_with(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                         const options& o) {
  if (n < 2) return n;
  std::size_t i = 0;
  if constexpr (plain_items<I> && std::same_as<Proj, std::identity> &&
                (std::same_as<Comp, std::ranges::less> || std::same_as<Comp, std::less<>>)) {
    const auto scan = [p = std::to_address(first), &comp](std::size_t from, std::size_t to) {
      return detail::scan_numbers(from, to,
                                  [p, &comp](std::size_t k) { return comp(p[k + 1], p[k]); });
    };
    i = detail::find_hit<Which>(fork, n - 1, o, scan, cheap_items);
  } else {
    const auto scan = [&](std::size_t from, std::size_t to) {
      for (I k = detail::at(first, from); from != to; ++from, ++k)
        if (std::invoke(comp, std::invoke(proj, *std::ranges::next(k)), std::invoke(proj, *k)))
          return from;
      return to;
    };
    i = detail::find_hit<Which>(fork, n - 1, o, scan);
  }
  return i + 1;
}

template <which Which, splittable_range R, class Given>
std::size_t descent_of(R& range, Given&& by) {
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::descent_with<Which>(fork, first, n, by.f, by.g, by.o);
  });
}

}  // namespace filch::detail
