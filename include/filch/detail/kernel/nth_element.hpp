// Finds the elements that come first in an order.
#pragma once

#include "filch/detail/kernel/sort.hpp"
#include "filch/detail/order/select.hpp"

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
  detail::with_elements(first, n, [&](auto row) {
    detail::with_order(row, comp, proj, [&](auto begin, auto less) {
      detail::select_in_parallel(fork, begin, nth, n, less, o.grain);
    });
  });
}

}  // namespace filch::detail
