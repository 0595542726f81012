// Finds the elements that come first in an order.
#pragma once

#include "filch/detail/kernel/ordering.hpp"
#include "filch/detail/order/select.hpp"

namespace filch::detail {

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
