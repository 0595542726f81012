// Chooses a sorting algorithm, and runs it on several threads.
//
// Nothing here depends on the number of workers: the result is the same for any number, also among
// equal elements.
#pragma once

#include <atomic>

#include "filch/detail/order/as_branch.hpp"
#include "filch/detail/order/merge_sort.hpp"
#include "filch/detail/order/radix_sort.hpp"
#include "filch/detail/order/sample_sort.hpp"

namespace filch::detail {

/// Up to this many elements one thread sorts alone, unless the options say otherwise. That takes a
/// few hundred microseconds.
inline constexpr std::ptrdiff_t sort_grain = std::ptrdiff_t{1} << 13;

/// How many elements one thread handles alone: what the options say, or else `usual`. It is limited
/// so that adding it to a number of elements does not overflow. No range is that large.
inline std::ptrdiff_t order_grain(std::size_t wanted, std::ptrdiff_t usual) noexcept {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / 4;
  return wanted == 0 ? usual : static_cast<std::ptrdiff_t>(std::min(wanted, most));
}

/// Reverses [first, last) in parallel.
template <class Fork, class It>
void reverse_in_parallel(const Fork& fork, It first, It last, std::ptrdiff_t grain) {
  const auto pairs = static_cast<std::size_t>(last - first) / 2;
  fork_parts(fork, pairs, static_cast<std::size_t>(grain),
             [&](std::size_t from, std::size_t to, std::size_t) {
               It back = last - static_cast<std::ptrdiff_t>(from);
               for (It i = first + static_cast<std::ptrdiff_t>(from); from != to; ++from, ++i)
                 std::ranges::iter_swap(i, --back);
             });
}

/// sorted_if_one_run() in parallel. For elements in random order it ends at once.
template <class Fork, class It, class Less>
bool sorted_if_one_run(const Fork& fork, It first, It last, Less less, std::ptrdiff_t grain) {
  if (last - first <= grain) return detail::sorted_if_one_run(first, last, less);
  const It head = first + std::min<std::ptrdiff_t>(grain, 256);
  const run<It> begun = detail::find_run(first, head, less);
  if (begun.end != head) return false;
  const bool descending = begun.descending;
  // Each part also looks at the first element of the next one.
  const auto pairs = static_cast<std::size_t>(last - first - 1);
  std::atomic<bool> broken{false};
  fork_parts(fork, pairs, static_cast<std::size_t>(grain),
             [&](std::size_t from, std::size_t to, std::size_t) {
               if (broken.load(std::memory_order_relaxed)) return;  // orders nothing: a hint
               const It i = first + static_cast<std::ptrdiff_t>(from),
                        end = first + static_cast<std::ptrdiff_t>(to);
               if (!(descending ? detail::goes_on<true>(i, end, less)
                                : detail::goes_on<false>(i, end, less)))
                 broken.store(true, std::memory_order_relaxed);  // orders nothing: the forks do
             });
  if (broken.load(std::memory_order_relaxed)) return false;  // orders nothing: the forks do
  if (descending) detail::reverse_in_parallel(fork, first, last, grain);
  return true;
}

/// quick_sort_loop() in parallel. It works in place, but one thread makes the first division.
template <class Fork, class It, class Less>
void quick_sort_in_parallel(const Fork& fork, It first, It last, Less less, bool before, int limit,
                            std::ptrdiff_t grain) {
  for (;;) {
    if (!fork.may_start()) return;
    if (last - first <= std::max<std::ptrdiff_t>(grain, 64) || limit-- == 0)
      return detail::quick_sort_loop(first, last, less, before, std::max(limit, 0));
    const It pivot = detail::choose_pivot(first, last, less);
    if (before && !less(*(first - 1), *pivot)) {
      first = detail::partition_around(first, last, pivot, not_after<Less>{less}) + 1;
      before = false;
      continue;
    }
    const It middle = detail::partition_around(first, last, pivot, less);
    fork([&] { detail::quick_sort_in_parallel(fork, first, middle, less, before, limit, grain); },
         [&] { detail::quick_sort_in_parallel(fork, middle + 1, last, less, true, limit, grain); });
    return;
  }
}

/// Can and should elements be sorted by the digits of their keys?
template <class T, class Comp, class Proj>
concept sorted_by_digits = ordered_by_number<T, Comp, Proj> && plain_element<T> && sizeof(T) <= 64;

/// The number of elements from which sorting by digits is faster.
inline constexpr std::size_t radix_sort_from = 512;

/// Sorts `n` elements by the digits of their keys. Returns false, with nothing done, if there is no
/// memory.
template <bool Stable, class Fork, class T, class Key>
bool radix_sort(const Fork& fork, T* first, std::size_t n, Key key, std::ptrdiff_t grain) {
  using word = typename Key::word;
  const raw_memory<T> memory(n);
  const raw_memory<bucket_number> numbers(Key::trusted ? 1 : n);
  if (!memory || !numbers) return false;
  // Skips digits that are the same in all keys. For keys from the whole range of the type, a few
  // keys are enough to know that there are none.
  std::atomic<word> differ{0};
  const word one = key(*first);
  constexpr std::size_t step = 1024;
  const std::size_t part = std::max(distribution_block, static_cast<std::size_t>(grain));
  fork_parts(fork, n, part, [&](std::size_t from, std::size_t to, std::size_t) {
    word mine = 0;
    T* const end = first + to;
    for (T* i = first + from; i != end;) {
      if (std::bit_width(mine) == std::numeric_limits<word>::digits) break;
      T* const stop = i + std::min<std::ptrdiff_t>(step, end - i);
      for (; i != stop; ++i) mine |= key(*i) ^ one;
    }
    differ.fetch_or(mine, std::memory_order_relaxed);  // orders nothing: the forks do
  });
  const auto bits =
      std::bit_width(differ.load(std::memory_order_relaxed));  // orders nothing: the forks do
  radix_sorter<Stable, T, Key, Fork>(fork, key, first, memory.data(), numbers.data(),
                                     static_cast<std::size_t>(grain))
      .sort(n, static_cast<int>(bits));
  return true;
}

/// Sorts `n` elements by digits. If there are few or there is no memory, it compares their keys.
template <bool Stable, class Fork, class T, class Key>
void sort_by_digits(const Fork& fork, T* first, std::size_t n, Key key, std::ptrdiff_t grain) {
  const key_less<Key> less{key};
  T* const last = first + n;
  if (n < radix_sort_from) {
    if constexpr (!Stable) return detail::quick_sort(first, last, less);
    if (last - first <= small_sort_limit<T>) return detail::stable_small_sort(first, last, less);
    if (detail::sorted_if_one_run(first, last, less)) return;
    const raw_memory<T> memory(n);
    if (memory) return detail::merge_sort(first, n, memory.data(), less);
  } else {
    if (detail::sorted_if_one_run(fork, first, last, less, grain)) return;
    if (detail::radix_sort<Stable>(fork, first, n, key, grain)) return;
  }
  if constexpr (Stable)
    detail::sort_by_rotating(fork, first, last, less, grain);
  else
    detail::quick_sort_in_parallel(fork, first, last, less, false, division_limit(last - first),
                                   grain);
}

template <class Fork, class It, class T, class Less>
void stable_sort_aside(const Fork& fork, It first, std::size_t n, T* row, Less less,
                       std::ptrdiff_t grain);

/// Sorts [first, first + n) by comparing.
template <bool Stable, class Fork, class It, class Less>
void sort_by_comparing(const Fork& fork, It first, std::size_t n, Less less, std::ptrdiff_t grain) {
  using value = std::iter_value_t<It>;
  const It last = first + static_cast<std::iter_difference_t<It>>(n);
  if constexpr (Stable) {
    if (last - first <= small_sort_limit<value>)
      return detail::stable_small_sort(first, last, less);
  } else {
    if (last - first <= grain) return detail::quick_sort(first, last, less);
  }
  if (detail::sorted_if_one_run(fork, first, last, less, grain)) return;
  if constexpr (std::is_pointer_v<It> && steady_element<value>) {
    const bool by_samples = n >= sample_sort_from && last - first > grain;
    if (Stable || by_samples) {
      const raw_memory<value> memory(n);
      const auto sort_part = [&](std::size_t from, std::size_t to) {
        if constexpr (Stable)
          detail::merge_sort(first + from, to - from, memory.data() + from, less);
        else
          detail::quick_sort_in_parallel(fork, first + from, first + to, less, false,
                                         division_limit(last - first), 4 * sort_grain);
      };
      if (memory && by_samples &&
          detail::distribute_by_samples(fork, first, n, memory.data(), less,
                                        static_cast<std::size_t>(grain), sort_part))
        return;
      if (Stable && memory) return sort_part(0, n);
    }
  } else if constexpr (Stable && steady_element<value>) {
    const raw_memory<value> row(n);  // contiguous memory for the elements
    if (row) return detail::stable_sort_aside(fork, first, n, row.data(), less, grain);
  }
  if constexpr (Stable)
    detail::sort_by_rotating(fork, first, last, less, grain);
  else
    detail::quick_sort_in_parallel(fork, first, last, less, false, division_limit(last - first),
                                   grain);
}

/// The stable sort_by_comparing() in the raw memory `row`, where the elements are contiguous.
template <class Fork, class It, class T, class Less>
void stable_sort_aside(const Fork& fork, It first, std::size_t n, T* row, Less less,
                       std::ptrdiff_t grain) {
  const auto at = [&](std::size_t i) { return first + static_cast<std::iter_difference_t<It>>(i); };
  const std::size_t part = std::max(distribution_block, static_cast<std::size_t>(grain));
  fork_parts(fork, n, part, [&](std::size_t i, std::size_t end, std::size_t) {
    for (; i != end; ++i) std::construct_at(row + i, std::move(*at(i)));
  });
  const auto back = [&] {
    fork_parts(fork, n, part, [&](std::size_t i, std::size_t end, std::size_t) {
      for (; i != end; ++i) {
        *at(i) = std::move(row[i]);
        std::destroy_at(row + i);
      }
    });
  };
  try {
    detail::sort_by_comparing<true>(fork, row, n, less, grain);
  } catch (...) {
    back();
    throw;
  }
  back();
}

/// Sorts `n` elements from `first` on by `comp` and `proj`.
template <bool Stable, class Fork, class It, class Comp, class Proj>
void sort_elements(const Fork& fork, It first, std::size_t n, Comp& comp, Proj& proj,
                   std::size_t wanted_grain) {
  using value = std::iter_value_t<It>;
  const std::ptrdiff_t grain = order_grain(wanted_grain, sort_grain);
  if (n < 2) return;
  const auto by_comparing = [&](auto less) {
    detail::sort_by_comparing<Stable>(fork, first, n, less, grain);
  };
  const auto sort_all = [&] {
    if constexpr (ordered_by_number<value, Comp, Proj>) {
      const radix_key<value, Comp, Proj> key(proj);
      if constexpr (std::is_pointer_v<It> && sorted_by_digits<value, Comp, Proj>)
        detail::sort_by_digits<Stable>(fork, first, n, key, grain);
      else
        by_comparing(key_less<radix_key<value, Comp, Proj>>{key});
    } else {
      by_comparing(element_order<Comp, Proj>(comp, proj));
    }
  };
  as_branch_if(n > static_cast<std::size_t>(grain), fork, sort_all);
}

}  // namespace filch::detail
