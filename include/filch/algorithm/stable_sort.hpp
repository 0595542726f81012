// stable_sort, sort_by_key, sort_by_cached_key: sorts that keep the order of equal elements.
#pragma once

#include "filch/detail/kernel/sort.hpp"
#include "filch/detail/order/cached_keys.hpp"

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
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::sortable_by<R, Comp, Proj>
auto stable_sort(R&& range, Comp&& comp = detail::left_out(), Proj&& proj = detail::left_out(),
                 const options& o = {}) -> detail::borrowed<R> {
  return detail::sort_of<true>(range, detail::given<std::ranges::less>(o, comp, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
auto stable_sort(I first, S last, Comp&& comp = detail::left_out(),
                 Proj&& proj = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::stable_sort(detail::iter_range(first, last), comp, proj, o));

/// Sorts `range` by key(element); equal elements keep their order. It is stable_sort() with the
/// arguments in another order. Rayon: par_sort_by_key. `key` is called for every comparison, so it
/// should be cheap, such as a member.
///
///     filch::sort_by_key(people, &person::age);
///     filch::sort_by_key(people, &person::age, std::greater{});
template <detail::splittable_range R, class Key, class Comp = options>
requires detail::no_options<Key> && detail::sortable_by<R, Comp, Key>
void sort_by_key(R&& range, Key key, Comp&& comp = detail::left_out(), const options& o = {}) {
  detail::sort_of<true>(range, detail::given<std::ranges::less>(o, comp, key));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Key, class Comp = options>
auto sort_by_key(I first, S last, Key key, Comp&& comp = detail::left_out(), const options& o = {})
    -> FILCH_RESULT_OF(filch::sort_by_key(detail::iter_range(first, last), std::move(key), comp,
                                          o));

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
template <detail::splittable_range R, class Key, class Comp = options>
requires detail::sortable_by_cached_key<std::ranges::iterator_t<R>, Key,
                                        detail::or_default_t<Comp, std::ranges::less>>
void sort_by_cached_key(R&& range, Key key, Comp&& comp = detail::left_out(),
                        const options& o = {}) {
  auto by = detail::given<std::ranges::less>(o, comp);
  detail::order_range(range, by.o, [&](const auto& fork, auto first, std::size_t n) {
    detail::sort_by_cached_keys(fork, first, n, key, by.f, by.o.grain);
  });
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Key, class Comp = options>
auto sort_by_cached_key(I first, S last, Key key, Comp&& comp = detail::left_out(),
                        const options& o = {})
    -> FILCH_RESULT_OF(filch::sort_by_cached_key(detail::iter_range(first, last), std::move(key),
                                                 comp, o));

}  // namespace filch
