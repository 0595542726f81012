// sort: sorts a range.
#pragma once

#include "filch/detail/kernel/sort.hpp"

namespace filch {

/// Sorts `range`; equal elements end up in unspecified order. Other libraries: std::ranges::sort,
/// std::sort with std::execution::par, tbb::parallel_sort, Rayon's par_sort_unstable.
///
/// How      All threads together divide a large range into up to 256 parts. Each part is sorted on
///          its own, by a quicksort that is not slowed down by patterns. Elements are
///          sorted by digits if they, or what `proj` makes of them, are numbers, and `comp` is
///          std::less or std::greater. So prefer these comparators to a lambda that does the same.
///          `comp` and `proj` are not copied: several threads call them at once. Equal elements end
///          up in the same order for any number of workers.
/// NaN      In the order of std::less, floating-point numbers are sorted as -NaN, -inf ... inf,
///          NaN; both zeros are equal. (So NaNs do no harm, unlike with std::sort.)
/// Options  `grain`: one thread sorts up to this many elements alone. `stop`: parts that have not
///          started are left as they are. `progress` is called once, at the end.
/// Throws   What `comp`, `proj` and moving elements throw; `cancelled` if it was asked to stop. If
///          `comp` or `proj` threw, or the sort was stopped, the range has the same elements as
///          before, in unspecified order. The same is true if `comp` contradicts itself. If moving
///          an element threw, all elements are valid. Lack of memory is not an error: then it sorts
///          in place.
/// Threads  As join().
/// Memory   `comp` sees what came before the call. The caller sees the result when the call
///          returns.
/// Cost     O(n log n) comparisons; O(n) if the range is sorted or reversed; O(n log k) for k
///          different values. The caller sorts small ranges alone. A sort of 32768 elements or more
///          allocates memory for all elements and two bytes for each, as long as the call lasts. A
///          smaller sort allocates nothing, but by digits a sort of 512 elements already does.
/// Proxies  Iterators may give proxies instead of references. If they are random access iterators
///          by the rules of C++17, too, one thread sorts the range. Otherwise the elements are
///          sorted in other memory, and without memory for all of them the call throws
///          `std::bad_alloc`. (The iterators of a std::vector<bool> are not std::sortable in C++20:
///          no sort takes them.)
///
///     filch::sort(v);
///     filch::sort(v, std::greater{});
///     filch::sort(people, {}, &person::age, {.on = &pool});
///
/// See also stable_sort() and sort_by_cached_key().
template <detail::splittable_range R, class Comp = options, class Proj = options>
requires detail::sortable_by<R, Comp, Proj>
auto sort(R&& range, Comp&& comp = detail::left_out(), Proj&& proj = detail::left_out(),
          const options& o = {}) -> void {
  detail::sort_of<false>(range, detail::given<std::ranges::less>(o, comp, proj));
}

/// Does the same for the elements from `first` up to `last`.
template <class I, detail::splittable_end<I> S, class Comp = options, class Proj = options>
auto sort(I first, S last, Comp&& comp = detail::left_out(), Proj&& proj = detail::left_out(),
          const options& o = {})
    -> FILCH_RESULT_OF(filch::sort(detail::iter_range(first, last), comp, proj, o));

}  // namespace filch
