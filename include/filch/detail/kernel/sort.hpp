// Sorts a range, and runs the other algorithms that order elements.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/launch.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/detail/order/cached_keys.hpp"
#include "filch/detail/order/rotate_part.hpp"
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

/// Moves the `n` elements into contiguous memory, calls `body(row)` with them, and moves them back,
/// also if `body` throws. It is for iterators that give no references and that the algorithms of
/// std do not take. Throws `std::bad_alloc` before any element has moved.
template <std::random_access_iterator I, class Body>
void with_elements_aside(I first, std::size_t n, const Body& body) {
  std::vector<std::iter_value_t<I>> row;
  row.reserve(n);
  for (std::size_t i = 0; i != n; ++i) row.push_back(std::ranges::iter_move(detail::at(first, i)));
  const auto put_back = [&] {
    for (std::size_t i = 0; i != n; ++i) *detail::at(first, i) = std::move(row[i]);
  };
  try {
    body(row.data());
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
}

template <bool Stable, class Fork, std::random_access_iterator I, class Comp, class Proj>
void sort_range(const Fork& fork, I first, std::size_t n, Comp& comp, Proj& proj,
                const options& o) {
  if constexpr (element_iterator<I>)
    detail::sort_elements<Stable>(fork, detail::as_plain_iterator(first), n, comp, proj, o.grain);
  else if constexpr (!old_random_access<I>)
    detail::with_elements_aside(first, n, [&](std::iter_value_t<I>* row) {
      detail::sort_elements<Stable>(fork, row, n, comp, proj, o.grain);
    });
  else if constexpr (Stable)
    std::ranges::stable_sort(first, detail::at(first, n), std::ref(comp), std::ref(proj));
  else
    std::ranges::sort(first, detail::at(first, n), std::ref(comp), std::ref(proj));
}

/// Numbers that the library itself sorts in ascending order, so that programs need not compile
/// that.
template <class T>
concept number_of_library =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, float> || std::same_as<T, double>;

template <number_of_library T>
void sort_numbers(T* first, std::size_t n, const options& o);

/// May the library sort this range? No program can tell equal integers apart, so for those it makes
/// no difference whether the sort is stable. With a sanitizer the program sorts its numbers itself.
template <bool Stable, class I, class Comp, class Proj>
concept sorted_by_library =
    !watches_memory && std::contiguous_iterator<I> && element_iterator<I> &&
    number_of_library<std::iter_value_t<I>> && std::same_as<Proj, std::identity> &&
    (direction_of<Comp, std::iter_value_t<I>> > 0) &&
    (!Stable || std::integral<std::iter_value_t<I>>);

/// Returns the end of the range.
template <bool Stable, std::random_access_iterator I, class Comp, class Proj>
I sort_in_parallel(I first, std::size_t n, Comp& comp, Proj& proj, const options& o) {
  if constexpr (sorted_by_library<Stable, I, Comp, Proj>)
    detail::sort_numbers(std::to_address(first), n, o);
  else
    order_in_parallel(
        n, o, [&](const auto& fork) { detail::sort_range<Stable>(fork, first, n, comp, proj, o); });
  return detail::at(first, n);
}

template <splittable_range R, class Key, class Comp>
void sort_by_cached_key_of(R& range, Key& key, Comp& comp, const options& o) {
  const std::size_t n = detail::size_of(range);
  order_in_parallel(n, o, [&](const auto& fork) {
    detail::sort_by_cached_keys(fork, std::ranges::begin(range), n, key, comp, o.grain);
  });
}

}  // namespace filch::detail
