// The unstable sort of one thread: a quicksort that patterns in the data make faster, never slower.
#pragma once

#include "filch/detail/order/partition.hpp"
#include "filch/detail/order/runs.hpp"
#include "filch/detail/order/small_sort.hpp"

namespace filch::detail {

/// Sorts with a heap, by swaps only, so that the range still has all its elements if `less` throws.
/// It is slow, but never worse than O(n log n).
template <class It, class Less>
void heap_sort(It first, It last, Less less) {
  const std::ptrdiff_t n = last - first;
  const auto sift_down = [&](std::ptrdiff_t parent, std::ptrdiff_t end) {
    for (;;) {
      std::ptrdiff_t child = 2 * parent + 1;
      if (child >= end) return;
      if (child + 1 < end && less(first[child], first[child + 1])) ++child;
      if (!less(first[parent], first[child])) return;
      std::ranges::iter_swap(first + parent, first + child);
      parent = child;
    }
  };
  for (std::ptrdiff_t i = n / 2; i-- > 0;) sift_down(i, n);
  for (std::ptrdiff_t end = n; --end > 0;) {
    std::ranges::iter_swap(first, first + end);
    sift_down(0, end);
  }
}

/// How often quick_sort() may divide before it gives up on its pivots.
inline int division_limit(std::ptrdiff_t n) noexcept {
  return 2 * static_cast<int>(std::bit_width(static_cast<std::size_t>(n)));
}

/// Sorts [first, last). With `before`, *(first - 1) does not come after any of the elements.
template <class It, class Less>
void quick_sort_loop(It first, It last, Less less, bool before, int limit) {
  using value = std::iter_value_t<It>;
  for (;;) {
    if (last - first <= small_sort_limit<value>) return detail::small_sort(first, last, less);
    if (limit-- == 0) return detail::heap_sort(first, last, less);
    const It pivot = detail::choose_pivot(first, last, less);
    // The pivot is equal to that of a part further left. So it is the least element here, and
    // probably occurs many times. One division puts all its copies in place.
    if (before && !less(*(first - 1), *pivot)) {
      first = detail::partition_around(first, last, pivot, not_after<Less>{less}) + 1;
      before = false;
      continue;
    }
    const It middle = detail::partition_around(first, last, pivot, less);
    detail::quick_sort_loop(first, middle, less, before, limit);
    first = middle + 1;
    before = true;
  }
}

/// Sorts [first, last), not stable. It makes O(n log n) comparisons at worst, O(n) if the range is
/// already sorted or reversed, and O(n log k) with k different values. If `less` throws, the range
/// still has all its elements, in some order. If `less` contradicts itself, the result is some
/// order.
template <class It, class Less>
void quick_sort(It first, It last, Less less) {
  if (last - first > small_sort_limit<std::iter_value_t<It>> &&
      detail::sorted_if_one_run(first, last, less))
    return;
  detail::quick_sort_loop(first, last, less, false, division_limit(last - first));
}

}  // namespace filch::detail
