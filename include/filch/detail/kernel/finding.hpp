// The index of the first, the last or any element that satisfies a condition.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>

#include "filch/detail/kernel/hits.hpp"
#include "filch/detail/kernel/scanners.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/subrange.hpp"

namespace filch::detail {

/// Can elements be compared with `value` after the projection?
template <class T, class Proj, class I>
concept findable = projection_of<Proj, I> && std::indirect_binary_predicate < std::ranges::equal_to,
        std::projected<I, Proj>,
const T* > ;

enum class hit_kind : unsigned char { first, last, any };

/// The index of an element for which pred(proj(element)) is `Wanted`, or `n`.
template <hit_kind Kind, bool Wanted = true, fork_policy Fork, std::random_access_iterator I,
          class Pred, class Proj>
std::size_t find_if_with(const Fork& fork, I first, std::size_t n, Pred& pred, Proj& proj,
                         const options& o) {
  const auto hit = [&](auto&& item) {
    return static_cast<bool>(
               std::invoke(pred, std::invoke(proj, static_cast<decltype(item)>(item)))) == Wanted;
  };
  const auto scan = [&](std::size_t from, std::size_t to) {
    return detail::scan_for(first, from, to, hit);
  };
  const auto scan_back = [&](std::size_t from, std::size_t to) {
    return detail::scan_back_for(first, from, to, hit);
  };
  if constexpr (Kind == hit_kind::first) return detail::find_first_hit(fork, n, o, scan);
  if constexpr (Kind == hit_kind::any) return detail::find_any_hit(fork, n, o, scan);
  if constexpr (Kind == hit_kind::last) return detail::find_last_hit(fork, n, o, scan_back);
}

/// The index of an element with proj(element) == value, or `n`.
template <hit_kind Kind, fork_policy Fork, std::random_access_iterator I, class T, class Proj>
std::size_t find_with(const Fork& fork, I first, std::size_t n, const T& value, Proj& proj,
                      const options& o) {
  constexpr std::size_t least = least_for_value<I, T, Proj>;
  const auto scan = [&](std::size_t from, std::size_t to) {
    return detail::scan_for_value(first, from, to, value, proj);
  };
  const auto scan_back = [&](std::size_t from, std::size_t to) {
    return detail::scan_back_for(first, from, to, [&](auto&& item) {
      return std::invoke(proj, static_cast<decltype(item)>(item)) == value;
    });
  };
  if constexpr (Kind == hit_kind::first) return detail::find_first_hit(fork, n, o, scan, least);
  if constexpr (Kind == hit_kind::any) return detail::find_any_hit(fork, n, o, scan, least);
  if constexpr (Kind == hit_kind::last) return detail::find_last_hit(fork, n, o, scan_back, least);
}

template <hit_kind Kind, bool Wanted = true, splittable_range R, class Pred, class Proj>
std::size_t index_if(R& range, Pred& pred, Proj& proj, const options& o) {
  return launch(o, [&] {
    return detail::find_if_with<Kind, Wanted>(parallel_fork{}, std::ranges::begin(range),
                                              detail::size_of(range), pred, proj, o);
  });
}

template <hit_kind Kind, splittable_range R, class T, class Proj>
std::size_t index_of(R& range, const T& value, Proj& proj, const options& o) {
  return launch(o, [&] {
    return detail::find_with<Kind>(parallel_fork{}, std::ranges::begin(range),
                                   detail::size_of(range), value, proj, o);
  });
}

template <class Pred, class Proj, class R>
concept asks = projected_call<Pred, Proj, std::ranges::iterator_t<R>> &&
    std::indirect_unary_predicate<Pred, std::projected<std::ranges::iterator_t<R>, Proj>>;

/// Returns the elements of a range from index `i` on.
template <splittable_range R>
auto rest_from(R& range, std::size_t i) -> subrange<std::ranges::iterator_t<R>> {
  const auto first = std::ranges::begin(range);
  return {detail::at(first, i), detail::at(first, detail::size_of(range))};
}

}  // namespace filch::detail
