// stable_sort, sort_by_key, sort_by_cached_key: sorts that keep the order of equal elements.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "filch/detail/kernel/sort.hpp"
#include "filch/detail/loop/iter_range.hpp"
#include "filch/detail/order/cached_keys.hpp"
#include "filch/options.hpp"

namespace filch {

/// Sorts `range`; equal elements keep their order. Other libraries: std::ranges::stable_sort,
/// Rayon's par_sort.
///
/// How      As sort(), but the parts are merge-sorted, and runs that are in order already are only
///          merged.
/// Returns  The end of the range.
/// NaN, Options, Throws, Threads, Memory  as sort().
/// Cost     O(n log n) comparisons; O(n) if the range is sorted or reversed or consists of few such
///          runs. Memory for all elements (and from 32768 elements on two bytes for each) during
///          the call. If there is no memory, or moving an element may throw, O(n log^2 n)
///          comparisons without it.
///
///     filch::stable_sort(orders, {}, &order::day);
template <detail::splittable_range R, class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
auto stable_sort(R&& range, Comp comp = {}, Proj proj = {}, const options& o = {})
    -> detail::borrowed<R> {
  return detail::sort_in_parallel<true>(std::ranges::begin(range), detail::size_of(range), comp,
                                        proj, o);
}

template <detail::splittable_range R, class Comp = std::ranges::less>
requires std::sortable<std::ranges::iterator_t<R>, Comp>
auto stable_sort(R&& range, Comp comp, const options& o) -> detail::borrowed<R> {
  return filch::stable_sort(std::forward<R>(range), std::move(comp), std::identity(), o);
}

template <detail::splittable_range R>
requires std::sortable<std::ranges::iterator_t<R>>
auto stable_sort(R&& range, const options& o) -> detail::borrowed<R> {
  return filch::stable_sort(std::forward<R>(range), std::ranges::less(), std::identity(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<I, Comp, Proj>
auto stable_sort(I first, S last, Comp comp = {}, Proj proj = {}, const options& o = {}) -> I {
  return detail::sort_in_parallel<true>(first, detail::size_of(first, last), comp, proj, o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S,
          class Comp = std::ranges::less>
requires std::sortable<I, Comp>
auto stable_sort(I first, S last, Comp comp, const options& o) -> I {
  return filch::stable_sort(first, last, std::move(comp), std::identity(), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S>
requires std::sortable<I>
auto stable_sort(I first, S last, const options& o) -> I {
  return filch::stable_sort(first, last, std::ranges::less(), std::identity(), o);
}

/// Sorts `range` by key(element); equal elements keep their order. It is stable_sort() with the
/// arguments in another order. Rayon: par_sort_by_key. `key` is called for every comparison, so it
/// should be cheap, such as a member.
///
///     filch::sort_by_key(people, &person::age);
///     filch::sort_by_key(people, &person::age, std::greater{});
template <detail::splittable_range R, class Key, class Comp = std::ranges::less>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Key>
void sort_by_key(R&& range, Key key, Comp comp = {}, const options& o = {}) {
  detail::sort_in_parallel<true>(std::ranges::begin(range), detail::size_of(range), comp, key, o);
}

template <detail::splittable_range R, class Key>
requires std::sortable<std::ranges::iterator_t<R>, std::ranges::less, Key>
void sort_by_key(R&& range, Key key, const options& o) {
  filch::sort_by_key(range, std::move(key), std::ranges::less(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Key,
          class Comp = std::ranges::less>
requires std::sortable<I, Comp, Key>
void sort_by_key(I first, S last, Key key, Comp comp = {}, const options& o = {}) {
  filch::sort_by_key(detail::iter_range(first, last), std::move(key), std::move(comp), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, class Key>
requires std::sortable<I, std::ranges::less, Key>
void sort_by_key(I first, S last, Key key, const options& o) {
  filch::sort_by_key(detail::iter_range(first, last), std::move(key), std::ranges::less(), o);
}

/// Sorts `range` by key(element), calling `key` once for each element; equal elements keep their
/// order. It is for expensive keys. Rayon: par_sort_by_cached_key.
///
/// How      It computes all keys, in parallel, sorts them, and then puts the elements in their
///          order.
/// Throws   As stable_sort(); also what `key` throws, and `std::bad_alloc` if there is no memory
///          for all keys. Then no element has moved.
/// Cost     n calls of `key`; memory for all keys, numbers and elements.
///
///     filch::sort_by_cached_key(files, [](const path& p) { return checksum(p); });
template <detail::splittable_range R, class Key, class Comp = std::ranges::less>
requires detail::sortable_by_cached_key<std::ranges::iterator_t<R>, Key, Comp>
void sort_by_cached_key(R&& range, Key key, Comp comp = {}, const options& o = {}) {
  const std::size_t n = detail::size_of(range);
  detail::order_in_parallel(n, o, [&](const auto& fork) {
    detail::sort_by_cached_keys(fork, std::ranges::begin(range), n, key, comp, o.grain);
  });
}

template <detail::splittable_range R, class Key>
requires detail::sortable_by_cached_key<std::ranges::iterator_t<R>, Key, std::ranges::less>
void sort_by_cached_key(R&& range, Key key, const options& o) {
  filch::sort_by_cached_key(range, std::move(key), std::ranges::less(), o);
}

/// Does the same for the elements from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S, class Key,
          class Comp = std::ranges::less>
requires detail::sortable_by_cached_key<I, Key, Comp>
void sort_by_cached_key(I first, S last, Key key, Comp comp = {}, const options& o = {}) {
  filch::sort_by_cached_key(detail::iter_range(first, last), std::move(key), std::move(comp), o);
}

template <std::random_access_iterator I, detail::splittable_end<I> S, class Key>
requires detail::sortable_by_cached_key<I, Key, std::ranges::less>
void sort_by_cached_key(I first, S last, Key key, const options& o) {
  filch::sort_by_cached_key(detail::iter_range(first, last), std::move(key), std::ranges::less(),
                            o);
}

}  // namespace filch
