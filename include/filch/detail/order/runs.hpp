// Runs: parts of a range that are already in order.
#pragma once

#include <algorithm>

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

/// If [first, last) is a single run, makes it ascend and returns true.
template <class It, class Less>
bool sorted_if_one_run(It first, It last, Less less) {
  const run<It> found = detail::find_run(first, last, less);
  if (found.end != last) return false;
  if (found.descending) std::ranges::reverse(first, last);
  return true;
}

}  // namespace filch::detail
