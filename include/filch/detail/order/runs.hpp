// Runs: parts of a range that are already in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "filch/detail/base/bits_of_flags.hpp"

namespace filch::detail {

/// The end of a run, and its direction.
template <class It>
struct run {
  It end;
  bool descending;
};

/// The longest run from `first` on. It is ascending, or strictly descending, so that reversing it
/// keeps the order of equal elements. Requires at least one element.
template <class It, class Less>
run<It> find_run(It first, It last, Less less) {
  It next = first + 1;
  if (next == last) return {last, false};
  const bool descending = less(*next, *first);
  It before = next;
  while (++next != last && less(*next, *before) == descending) before = next;
  return {next, descending};
}

/// Does `Less` order numbers as `<` or as `>` does, except for NaNs?
template <class Less>
concept orders_numbers = requires {
  requires Less::direction_of_numbers != 0;
};

/// How many numbers are compared at a time.
inline constexpr std::ptrdiff_t run_block = 64;

/// The size of the largest numbers that are compared without branches, which compilers vectorise.
/// For larger ones, branches are faster.
#ifdef __AVX2__
inline constexpr std::size_t compared_in_vectors = 8;
#else
inline constexpr std::size_t compared_in_vectors = 4;
#endif

/// Skips the numbers from `i` on that go on with a run, each with the next one, up to `end` at
/// most. It may stop earlier, and it stops at a NaN.
template <bool Descending, int Direction, class T>
T* skip_numbers_of_run(T* i, T* end) {
  const auto in_order = [](T a, T b) {
    if constexpr (Direction < 0) std::swap(a, b);
    return Descending ? b < a : a <= b;
  };
  if constexpr (sizeof(T) <= compared_in_vectors) {
    for (; end - i >= run_block; i += run_block) {
      using answer = answer_of<sizeof(T)>;
      answer doubts = 0;
      for (std::ptrdiff_t k = 0; k != run_block; ++k)
        doubts = static_cast<answer>(doubts | (in_order(i[k], i[k + 1]) ? 0 : 1));
      if (doubts != 0) break;
    }
  } else {
    for (; end - i >= 4; i += 4)
      for (std::ptrdiff_t k = 0; k != 4; ++k)
        if (!in_order(i[k], i[k + 1])) return i + k;
  }
  return i;
}

/// Do each element of [i, end) and the next one go on with a run?
template <bool Descending, class It, class Less>
bool goes_on(It i, It end, Less less) {
  while (i != end) {
    It stop = end;
    if constexpr (orders_numbers<Less> && std::is_pointer_v<It>) {
      i = detail::skip_numbers_of_run<Descending, Less::direction_of_numbers>(i, end);
      stop = i + std::min(run_block, end - i);
    }
    for (; i != stop; ++i)
      if (less(i[1], *i) != Descending) return false;
  }
  return true;
}

/// If [first, last) is a single run, makes it ascend and returns true.
template <class It, class Less>
bool sorted_if_one_run(It first, It last, Less less) {
  const run<It> found = detail::find_run(first, last, less);
  if (found.end != last) return false;
  if (found.descending) std::ranges::reverse(first, last);
  return true;
}

}  // namespace filch::detail
