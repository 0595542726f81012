// What the algorithms that order elements have in common.
#pragma once

#include <memory>
#include <new>

#include "filch/detail/base/raw_memory.hpp"
#include "filch/detail/kernel/front.hpp"
#include "filch/detail/order/less.hpp"
#include "filch/detail/order/radix_key.hpp"
#include "filch/detail/order/stoppable_fork.hpp"

namespace filch::detail {

/// Calls `body(fork)`, which does something to `n` elements, with a fork policy that heeds the
/// options and forks by `fork`. Progress is not known before the end, so it is reported then.
template <fork_policy Fork, class Body>
void order_with(const Fork& fork, std::size_t n, const options& o, const Body& body) {
  const stoppable_fork<Fork> stoppable(fork, o);
  if (stoppable.may_start()) body(stoppable);
  stoppable.end();
  if (o.progress && n != 0) o.progress(n, n);
}

/// Does the same with the parallel fork policy, on the pool of the options. With no elements
/// nothing can be left out, so that is not a cancellation.
template <class Body>
void order_in_parallel(std::size_t n, const options& o, const Body& body) {
  launch(o, [&] {
    if (n != 0) order_with(parallel_fork{}, n, o, body);
  });
}

/// Calls `body(begin)` with an iterator to the `n` elements. If `I` gives no references to them,
/// they are in memory of their own meanwhile, and move back also if `body` throws. Throws
/// `std::bad_alloc` before any element has moved.
template <std::random_access_iterator I, class Body>
void with_elements(I first, std::size_t n, const Body& body) {
  if constexpr (element_iterator<I>) {
    body(detail::as_plain_iterator(first));
  } else {
    using value = std::iter_value_t<I>;
    const raw_memory<value> row(n);
    if (!row) throw std::bad_alloc();
    std::ranges::uninitialized_move(first, detail::at(first, n), row.data(), row.data() + n);
    const struct made {
      value* row;
      std::size_t n;
      ~made() { std::destroy_n(row, n); }
    } elements{row.data(), n};
    const auto put_back = [&] { std::ranges::move(row.data(), row.data() + n, first); };
    try {
      body(row.data());
    } catch (...) {
      put_back();
      throw;
    }
    put_back();
  }
}

/// Calls body(fork, first, n) for a range in parallel, and returns its end.
template <splittable_range R, class Body>
auto order_range(R& range, const options& o, const Body& body) {
  const auto first = std::ranges::begin(range);
  const std::size_t n = detail::size_of(range);
  order_in_parallel(n, o, [&](const auto& fork) { body(fork, first, n); });
  return detail::at(first, n);
}

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

}  // namespace filch::detail
