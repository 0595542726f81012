// Sorts the elements that come first in an order.
#pragma once

#include "filch/detail/kernel/nth_element.hpp"
#include "filch/detail/kernel/sort.hpp"

namespace filch::detail {

template <class Fork, std::random_access_iterator I, class Comp, class Proj>
void partial_sort_with(const Fork& fork, I first, std::size_t middle, std::size_t n, Comp& comp,
                       Proj& proj, const options& o) {
  if (middle == 0) return;
  if (middle < n) detail::nth_element_with(fork, first, middle, n, comp, proj, o);
  if (fork.may_start()) detail::sort_range<false>(fork, first, middle, comp, proj, o);
}

/// The elements of R can be ordered, and copied to the elements of Out.
template <class R, class Out, class Comp, class Proj1, class Proj2>
concept copies_first =
    std::indirectly_copyable<std::ranges::iterator_t<R>, std::ranges::iterator_t<Out>> &&
    orders<R, Comp, Proj1> && projection_of<or_default_t<Proj2>, std::ranges::iterator_t<Out>>;

/// The elements of R can be ordered, and copied into a vector.
template <class R, class Comp, class Proj>
concept copies_best = std::copy_constructible<std::ranges::range_value_t<R>> &&
    orders<R, or_default_t<Comp, std::ranges::greater>, Proj>;

/// The number of elements up to which one thread selects the first few among them alone.
inline constexpr std::size_t select_grain = std::size_t{1} << 15;

/// Returns iterators to the `k` elements from `first` on that order first, sorted.
template <class Fork, std::random_access_iterator I, class Comp, class Proj>
std::vector<I> first_positions_with(const Fork& fork, I first, std::size_t n, std::size_t k,
                                    Comp& comp, Proj& proj, const options& o) {
  const auto less = [&](const I& a, const I& b) {
    return static_cast<bool>(std::invoke(comp, std::invoke(proj, *a), std::invoke(proj, *b)));
  };
  const std::size_t wanted = std::min(k, n);
  // Twice as many positions are kept during the selection.
  constexpr const char* function = "top_k() or partial_sort_copy()";
  detail::require_capacity(std::vector<I>(), detail::product_of_sizes(2, wanted, function),
                           function);
  return detail::first_positions(fork, first, n, wanted, less,
                                 o.grain == 0 ? select_grain : o.grain);
}

/// Calls use(iterators) with the `k` elements that order first, unless the sort is stopped before.
template <splittable_range R, class Given, class Use>
void with_first_positions(R& range, std::size_t k, Given& by, const Use& use) {
  detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    const auto found = detail::first_positions_with(fork, first, n, k, by.f, by.g, by.o);
    if (fork.may_start()) use(found);
  });
}

}  // namespace filch::detail
