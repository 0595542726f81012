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

/// Returns the end of the range.
template <splittable_range R, class Given>
auto nth_element_of(R& range, std::ranges::iterator_t<R> nth, Given&& by) {
  const auto first = std::ranges::begin(range);
  const std::size_t n = detail::size_of(range);
  order_in_parallel(n, by.o, [&](const auto& fork) {
    detail::nth_element_with(fork, first, detail::size_of(first, nth), n, by.f, by.g, by.o);
  });
  return detail::at(first, n);
}

}  // namespace filch::detail
