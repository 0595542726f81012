// Sorts a range, and runs the other algorithms that order elements.
#pragma once

#include "filch/detail/kernel/front.hpp"
#include "filch/detail/order/sort.hpp"
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

template <bool Stable, class Fork, std::random_access_iterator I, class Comp, class Proj>
void sort_range(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                const options& o) {
  detail::with_elements(first, n, [&](auto begin) {
    detail::sort_elements<Stable>(fork, begin, n, comp, proj, o.grain);
  });
}

/// Numbers that the library itself sorts in ascending order, so that programs need not compile
/// that.
template <class T>
concept number_of_library =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, float> || std::same_as<T, double>;

/// Sorts them. `T` is a number_of_library. The declaration does not say so, because the library
/// defines this function (tools/check_symbols.py has the reason).
template <class T>
void sort_numbers(T* first, std::size_t n, const options& o);

/// May the library sort this range? No program can tell equal integers apart, so for those it makes
/// no difference whether the sort is stable. With a sanitizer the program sorts its numbers itself.
template <bool Stable, class I, class Comp, class Proj>
concept sorted_by_library =
    !watches_memory && std::contiguous_iterator<I> && element_iterator<I> &&
    number_of_library<std::iter_value_t<I>> && std::same_as<Proj, std::identity> &&
    (direction_of<Comp, std::iter_value_t<I>> > 0) &&
    (!Stable || std::integral<std::iter_value_t<I>>);

/// Calls body(fork, first, n) for a range in parallel, and returns its end.
template <splittable_range R, class Body>
auto order_range(R& range, const options& o, const Body& body) {
  const auto first = std::ranges::begin(range);
  const std::size_t n = detail::size_of(range);
  order_in_parallel(n, o, [&](const auto& fork) { body(fork, first, n); });
  return detail::at(first, n);
}

/// Returns the end of the range.
template <bool Stable, splittable_range R, class Given>
auto sort_of(R& range, Given&& by) {
  if constexpr (sorted_by_library<Stable, std::ranges::iterator_t<R>,
                                  std::remove_reference_t<decltype(by.f)>,
                                  std::remove_reference_t<decltype(by.g)>>) {
    detail::sort_numbers(std::to_address(std::ranges::begin(range)), detail::size_of(range), by.o);
    return detail::end_of(range);
  } else {
    return detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
      detail::sort_range<Stable>(fork, first, n, by.f, by.g, by.o);
    });
  }
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
