// Finds neighbours in a range: the first element that is less than its predecessor, or equal ones.
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

/// Returns the first (or any) index `i` of neighbours i and i + 1 for which holds(a, b) is true
/// after the projection; n - 1 if there are none. n > 0. If `holds` is a known operation, it is
/// `Plain` on numbers, which may be compared any number of times. Otherwise `Plain` is void.
template <which Which, class Plain, fork_policy Fork, std::random_access_iterator I, class Holds,
          class Proj>
std::size_t find_neighbours(const Fork& fork, I first, std::size_t n, const Holds& holds,
                            Proj& proj, const options& o) {
  if constexpr (!std::is_void_v<Plain> && plain_items<I> && std::same_as<Proj, std::identity>) {
    const auto scan = [p = std::to_address(first)](std::size_t from, std::size_t to) {
      return detail::scan_numbers(from, to, [p](std::size_t k) { return Plain()(p[k], p[k + 1]); });
    };
    return detail::find_hit<Which>(fork, n - 1, o, scan, cheap_items);
  } else {
    return detail::find_hit<Which>(fork, n - 1, o, [&](std::size_t from, std::size_t to) {
      for (I k = detail::at(first, from); from != to; ++from, ++k)
        if (holds(std::invoke(proj, *k), std::invoke(proj, *std::ranges::next(k)))) return from;
      return to;
    });
  }
}

/// Returns the first index (or any index) whose element is smaller than the one before it; `n` if
/// there is none.
template <which Which, fork_policy Fork, std::random_access_iterator I, class Comp, class Proj>
std::size_t descent_with(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                         const options& o) {
  if (n < 2) return n;
  constexpr bool known = std::same_as<Comp, std::ranges::less> || std::same_as<Comp, std::less<>>;
  const auto descends = [&comp](auto&& a, auto&& b) -> bool {
    return std::invoke(comp, static_cast<decltype(b)>(b), static_cast<decltype(a)>(a));
  };
  return detail::find_neighbours<Which, std::conditional_t<known, std::greater<>, void>>(
             fork, first, n, descends, proj, o) +
         1;
}

/// Returns the index of the first element such that `f` holds for it and its successor, or `n`.
template <fork_policy Fork, std::random_access_iterator I, class F, class Proj>
std::size_t adjacent_find_with(const Fork& fork, I first, std::size_t n, F& f, Proj& proj,
                               const options& o) {
  if (n < 2) return n;
  constexpr bool known = std::same_as<F, std::ranges::equal_to>;
  const auto holds = [&f](auto&& a, auto&& b) -> bool {
    return std::invoke(f, static_cast<decltype(a)>(a), static_cast<decltype(b)>(b));
  };
  const std::size_t i =
      detail::find_neighbours<which::first, std::conditional_t<known, std::equal_to<>, void>>(
          fork, first, n, holds, proj, o);
  return i == n - 1 ? n : i;
}

template <which Which, splittable_range R, class Given>
std::size_t descent_of(R& range, Given&& by) {
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::descent_with<Which>(fork, first, n, by.f, by.g, by.o);
  });
}

}  // namespace filch::detail
