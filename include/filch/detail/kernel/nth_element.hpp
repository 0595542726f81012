// Finds the elements that come first in an order.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>

#include "filch/detail/kernel/sort.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/detail/order/select.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// Calls `body(iterator, less)` with the cheapest forms of iterator and order.
template <std::random_access_iterator I, class Comp, class Proj, class Body>
void with_order(I first, Comp& comp, Proj& proj, const Body& body) {
  using value = std::iter_value_t<I>;
  if constexpr (ordered_by_number<value, Comp, Proj>)
    body(detail::as_plain_iterator(first),
         key_less<radix_key<value, Comp, Proj>>{radix_key<value, Comp, Proj>(proj)});
  else
    body(detail::as_plain_iterator(first), element_order<Comp, Proj>(comp, proj));
}

template <class Fork, std::random_access_iterator I, class Comp, class Proj>
void nth_element_with(const Fork& fork, I first, std::size_t nth, std::size_t n, Comp& comp,
                      Proj& proj, const options& o) {
  if constexpr (element_iterator<I>)
    detail::with_order(first, comp, proj, [&](auto begin, auto less) {
      detail::select_in_parallel(fork, begin, nth, n, less, o.grain);
    });
  else if constexpr (!old_random_access<I>)
    detail::with_elements_aside(first, n, [&](std::iter_value_t<I>* row) {
      detail::nth_element_with(fork, row, nth, n, comp, proj, o);
    });
  else
    std::ranges::nth_element(first, detail::at(first, nth), detail::at(first, n), std::ref(comp),
                             std::ref(proj));
}

/// Returns the end of the range.
template <std::random_access_iterator I, class Comp, class Proj>
I nth_element_in_parallel(I first, I nth, std::size_t n, Comp& comp, Proj& proj, const options& o) {
  order_in_parallel(n, o, [&](const auto& fork) {
    detail::nth_element_with(fork, first, static_cast<std::size_t>(nth - first), n, comp, proj, o);
  });
  return detail::at(first, n);
}

}  // namespace filch::detail
