// Neighbouring stretches that change places.
#pragma once

#include <algorithm>
#include <concepts>
#include <iterator>

namespace filch::detail {

/// Is it a random access iterator by the rules of C++17, too? Those that give no references (of
/// most views, and of zipped ranges) are not, and the old algorithms of std take them for ones that
/// only go forward, if at all.
template <class It>
concept old_random_access = std::random_access_iterator<It> && requires {
  typename std::iterator_traits<It>::iterator_category;
  requires std::derived_from<typename std::iterator_traits<It>::iterator_category,
                             std::random_access_iterator_tag>;
};

/// [first, middle) and [middle, last) change places. If a swap throws, the elements are those of
/// before. (std::ranges::rotate returns what not every compiler that filch supports can use.)
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
