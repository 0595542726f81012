// Sorting.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "filch/detail/order/rotate_part.hpp"
#include "filch/detail/order/sort.hpp"
#include "filch/detail/order/stoppable_fork.hpp"
#include "filch/detail/split/fork.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

/// Calls `body(fork)`, which does something to `n` elements, with a fork that heeds the options, on
/// the fork given. How far it is, nobody knows before the end: then it tells.
template <fork_policy Fork, class Body>
void order_with(const Fork& fork, std::size_t n, const options& o, const Body& body) {
  const stoppable_fork<Fork> stoppable(fork, o);
  if (stoppable.may_start()) body(stoppable);
  stoppable.end();
  if (o.progress && n != 0) o.progress(n, n);
}

/// The same on the fork that runs in parallel, where the options say. Of no elements nothing can be
/// left out, so that is no cancellation.
template <class Body>
void order_in_parallel(std::size_t n, const options& o, const Body& body) {
  launch(o, [&] {
    if (n != 0) order_with(parallel_fork{}, n, o, body);
  });
}

/// Calls `body(row)` with the `n` elements side by side in other memory, and puts them back, also
/// if it throws. For iterators that give no references and that the algorithms of std do not take.
/// Throws `std::bad_alloc`, before any element has moved.
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

/// Returns the end of the range.
template <bool Stable, std::random_access_iterator I, class Comp, class Proj>
I sort_in_parallel(I first, std::size_t n, Comp& comp, Proj& proj, const options& o) {
  order_in_parallel(
      n, o, [&](const auto& fork) { detail::sort_range<Stable>(fork, first, n, comp, proj, o); });
  return detail::at(first, n);
}

}  // namespace detail

/// Sorts `range`; equal elements end up in some order. In the words of others: std::ranges::sort,
/// std::sort with std::execution::par, tbb::parallel_sort, Rayon's par_sort_unstable.
///
/// How      Large ranges are divided into up to 256 parts by all threads together, and these are
///          sorted on their own, by a quicksort that does not mind patterns. Numbers (and elements
///          with a number for a key, the projection) in the order of std::less or std::greater are
///          sorted by digits: compare with these, and not with a lambda that does the same, if you
///          can. `comp` and `proj` are not copied: several threads call them at once. What is equal
///          ends up in the same order for any number of workers.
/// NaN      In the order of std::less floating-point numbers are sorted as -NaN, -inf ... inf, NaN;
///          both zeros are equal. (So NaNs do no harm, unlike with std::sort.)
/// Options  `grain`: up to this many elements are one thread's work. `stop`: parts that have not
///          started are left as they are. `progress` is told once, at the end.
/// Throws   What `comp`, `proj` and moving elements throw; `cancelled` if it was asked to stop. If
///          `comp` or `proj` threw, or it was stopped, the range has the same elements as before,
///          in some order; so it has if `comp` contradicts itself. If moving an element threw, all
///          are valid. Lack of memory is no error: then it sorts in place.
/// Threads  As join(). Memory: what came before is seen by `comp`, and the result on return.
/// Cost     O(n log n) comparisons; O(n) if it is sorted or reversed; O(n log k) for k different
///          values. From 32768 elements on memory for all of them and two bytes each (by digits
///          from 512 on) for the time of the call, else none. Small ranges are sorted by the
///          caller. Of iterators that give no references but stand-ins (proxies), those that are
///          random access iterators by the rules of C++17, too, are sorted by one thread; others by
///          way of memory for all elements, without which it throws `std::bad_alloc`. (Those of a
///          std::vector<bool> are not std::sortable in C++20: no sort takes them.)
///
///     filch::sort(v);
///     filch::sort(v, std::greater{});
///     filch::sort(people, {}, &person::age, {.on = &pool});
///
/// See also stable_sort() and sort_by_cached_key().
template <detail::splittable_range R, class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
void sort(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {}) {
  detail::sort_in_parallel<false>(std::ranges::begin(range), detail::size_of(range), comp, proj, o);
}

template <detail::splittable_range R, class Comp = std::ranges::less>
requires std::sortable<std::ranges::iterator_t<R>, Comp>
void sort(R&& range, Comp comp, const options& o) {
  filch::sort(range, std::move(comp), std::identity(), o);
}

template <detail::splittable_range R>
requires std::sortable<std::ranges::iterator_t<R>>
void sort(R&& range, const options& o) {
  filch::sort(range, std::ranges::less(), std::identity(), o);
}

/// The same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<I, Comp, Proj>
void sort(I first, S last, Comp comp = {}, Proj proj = {}, const options& o = {}) {
  detail::sort_in_parallel<false>(first, detail::size_of(first, last), comp, proj, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less>
requires std::sortable<I, Comp>
void sort(I first, S last, Comp comp, const options& o) {
  filch::sort(first, last, std::move(comp), std::identity(), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S>
requires std::sortable<I>
void sort(I first, S last, const options& o) {
  filch::sort(first, last, std::ranges::less(), std::identity(), o);
}

}  // namespace filch
