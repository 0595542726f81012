// The index of the first, the last or any element that satisfies a condition.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

/// Can elements be compared with `value` after the projection?
template <class T, class Proj, class I>
concept findable = projection_of<Proj, I> && std::indirect_binary_predicate < std::ranges::equal_to,
        std::projected<I, Proj>,
const T* > ;

/// The index of an element for which pred(proj(element)) is `Wanted`, or `n`.
template <which Which, bool Wanted = true, fork_policy Fork, std::random_access_iterator I,
          class Pred, class Proj>
std::size_t find_if_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                         const options& o) {
  const auto hit = [&](auto&& item) {
    return static_cast<bool>(
               std::invoke(pred, std::invoke(proj, static_cast<decltype(item)>(item)))) == Wanted;
  };
  return detail::find_hit<Which>(fork, n, o, [&](std::size_t from, std::size_t to) {
    return detail::scan_for<Which == which::last>(first, from, to, hit);
  });
}

/// The index of an element with proj(element) == value, or `n`.
template <which Which, fork_policy Fork, std::random_access_iterator I, class T, class Proj>
std::size_t find_with(const Fork& fork, I first, std::size_t n, const T& value, Proj& proj,
                      const options& o) {
  const auto scan = [&](std::size_t from, std::size_t to) {
    return detail::scan_for_value<Which == which::last>(first, from, to, value, proj);
  };
  return detail::find_hit<Which>(fork, n, o, scan, least_for_value<I, T, Proj>);
}

template <which Which, bool Wanted = true, splittable_range R, class Given>
std::size_t index_if(R& range, Given&& by) {
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::find_if_with<Which, Wanted>(fork, first, n, by.f, by.g, by.o);
  });
}

template <which Which, splittable_range R, class T, class Given>
std::size_t index_of(R& range, const T& value, Given&& by) {
  return detail::launch_on(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    return detail::find_with<Which>(fork, first, n, value, by.f, by.o);
  });
}

template <class Pred, class Proj, class R>
concept asks = projected_call<Pred, Proj, std::ranges::iterator_t<R>> &&
    std::indirect_unary_predicate<Pred, std::projected<std::ranges::iterator_t<R>, Proj>>;

}  // namespace filch::detail
