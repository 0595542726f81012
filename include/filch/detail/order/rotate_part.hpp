// Rotates neighbouring parts of a range.
#pragma once

#include <algorithm>
#include <concepts>
#include <iterator>

namespace filch::detail {

/// Is it a random access iterator by the rules of C++17 too? An iterator without real references
/// (of most views, and of zipped ranges) is not. The old algorithms of std treat it as a forward
/// iterator at best.
template <class It>
concept old_random_access = std::random_access_iterator<It> && requires {
  typename std::iterator_traits<It>::iterator_category;
  requires std::derived_from<typename std::iterator_traits<It>::iterator_category,
                             std::random_access_iterator_tag>;
};

/// Swaps [first, middle) with [middle, last). If a swap throws, the range still has all its
/// elements. It does not use std::ranges::rotate, whose result not all supported compilers can
/// handle.
template <std::permutable It>
void rotate_part(It first, It middle, It last) {
  if constexpr (old_random_access<It>) {
    std::rotate(first, middle, last);
  } else {
    std::ranges::reverse(first, middle);
    std::ranges::reverse(middle, last);
    std::ranges::reverse(first, last);
  }
}

}  // namespace filch::detail
