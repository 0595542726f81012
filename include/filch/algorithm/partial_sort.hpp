// The elements that come first, in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/sort.hpp"
#include "filch/detail/order/select.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

template <class Fork, std::random_access_iterator I, class Comp, class Proj>
void partial_sort_with(const Fork& fork, I first, std::size_t middle, std::size_t n, Comp& comp,
                       Proj& proj, const options& o) {
  if (middle == 0) return;
  if (middle < n) detail::nth_element_with(fork, first, middle, n, comp, proj, o);
  if (fork.may_start()) detail::sort_range<false>(fork, first, middle, comp, proj, o);
}

template <std::random_access_iterator I, class Comp, class Proj>
void partial_sort_in_parallel(I first, I middle, std::size_t n, Comp& comp, Proj& proj,
                              const options& o) {
  order_in_parallel(n, o, [&](const auto& fork) {
    detail::partial_sort_with(fork, first, static_cast<std::size_t>(middle - first), n, comp, proj,
                              o);
  });
}

/// Up to this many elements one thread looks for the first few among them.
inline constexpr std::size_t select_grain = std::size_t{1} << 15;

/// The positions of the `k` elements from `first` on that come first, in order.
template <class Fork, std::random_access_iterator I, class Comp, class Proj>
std::vector<I> first_positions_with(const Fork& fork, I first, std::size_t n, std::size_t k,
                                    Comp& comp, Proj& proj, const options& o) {
  const auto less = [&](const I& a, const I& b) {
    return static_cast<bool>(std::invoke(comp, std::invoke(proj, *a), std::invoke(proj, *b)));
  };
  return detail::first_positions(fork, first, n, std::min(k, n), less,
                                 o.grain == 0 ? select_grain : o.grain);
}

}  // namespace detail

/// Sorts the elements that belong before `middle` into that place; the others follow in some order.
/// std::ranges::partial_sort.
///
/// How, NaN, Options, Throws, Threads, Memory  as sort().
/// Cost     As nth_element(), and then sort() of what is before `middle`.
///
///     filch::partial_sort(v, v.begin() + 10);
template <detail::splittable_range R, class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
void partial_sort(R&& range, std::ranges::iterator_t<R> middle, Comp comp = {}, Proj proj = {},
                  const options& o = {}) {
  detail::partial_sort_in_parallel(std::ranges::begin(range), middle, detail::size_of(range), comp,
                                   proj, o);
}

template <detail::splittable_range R, class Comp = std::ranges::less>
requires std::sortable<std::ranges::iterator_t<R>, Comp>
void partial_sort(R&& range, std::ranges::iterator_t<R> middle, Comp comp, const options& o) {
  filch::partial_sort(range, middle, std::move(comp), std::identity(), o);
}

template <detail::splittable_range R>
requires std::sortable<std::ranges::iterator_t<R>>
void partial_sort(R&& range, std::ranges::iterator_t<R> middle, const options& o) {
  filch::partial_sort(range, middle, std::ranges::less(), std::identity(), o);
}

/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<I, Comp, Proj>
void partial_sort(I first, I middle, S last, Comp comp = {}, Proj proj = {},
                  const options& o = {}) {
  detail::partial_sort_in_parallel(first, middle, detail::size_of(first, last), comp, proj, o);
}

/// Copies those elements of `range` that come first to `out`, in order: as many as fit there, at
/// most all. `range` stays as it is. std::ranges::partial_sort_copy, but the comparator sees
/// elements of `range` only.
///
/// Returns  Where the copies end.
/// Throws   What `comp`, `proj` and copying throw, `std::bad_alloc`, and `cancelled`.
/// Options, Threads, Memory  as sort().
/// Cost     O(n + k log k) comparisons for k copies of elements in no particular order, O(n log k)
///          at worst; memory for k positions per part.
template <detail::splittable_range R, detail::splittable_range Out, class Comp = std::ranges::less,
          class Proj = std::identity>
requires std::indirectly_copyable<std::ranges::iterator_t<R>, std::ranges::iterator_t<Out>> &&
    std::indirect_strict_weak_order<Comp, std::projected<std::ranges::iterator_t<R>, Proj>>
auto partial_sort_copy(R&& range, Out&& out, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> std::ranges::borrowed_iterator_t<Out> {
  auto to = std::ranges::begin(out);
  detail::order_in_parallel(detail::size_of(range), o, [&](const auto& fork) {
    const auto found =
        detail::first_positions_with(fork, std::ranges::begin(range), detail::size_of(range),
                                     detail::size_of(out), comp, proj, o);
    if (!fork.may_start()) return;
    for (const auto& position : found) {
      *to = *position;
      ++to;
    }
  });
  return to;
}

/// The `k` elements that come first in the order of `comp`, in that order: by default the largest,
/// the largest of all first. (All of them, if there are fewer than k.) Equal ones in some order.
///
/// Options, Throws, Threads, Memory, Cost  as partial_sort_copy().
///
///     const std::vector<score> best = filch::top_k(scores, 10);
///     const auto nearest = filch::top_k(cities, 3, std::less{}, distance_from_here);
template <detail::splittable_range R, class Comp = std::ranges::greater, class Proj = std::identity>
requires std::copy_constructible<std::ranges::range_value_t<R>> &&
    std::indirect_strict_weak_order<Comp, std::projected<std::ranges::iterator_t<R>, Proj>>
auto top_k(R&& range, std::size_t k, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> std::vector<std::ranges::range_value_t<R>> {
  std::vector<std::ranges::range_value_t<R>> best;
  detail::order_in_parallel(detail::size_of(range), o, [&](const auto& fork) {
    const auto found = detail::first_positions_with(fork, std::ranges::begin(range),
                                                    detail::size_of(range), k, comp, proj, o);
    if (!fork.may_start()) return;
    best.reserve(found.size());
    for (const auto& position : found) best.push_back(*position);
  });
  return best;
}

}  // namespace filch
