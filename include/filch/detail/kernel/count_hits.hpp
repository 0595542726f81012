// How many items of a part satisfy a condition.
#pragma once

#include <cstddef>
#include <type_traits>

#include "filch/detail/kernel/scanners.hpp"

namespace filch::detail {

/// Returns for how many indices of [from, to) hit(index), a condition on an Item, holds. Hits on
/// numbers are counted in numbers of the same width, so that the processor counts as many at a time
/// as it compares.
template <class Item, class Hit>
std::size_t count_hits(std::size_t from, std::size_t to, Hit&& hit) {
  std::size_t sum = 0;
  using value = std::remove_cvref_t<Item>;
  if constexpr (compares_in_blocks<value>) {
    using answer = answer_of<sizeof(value)>;
    constexpr std::size_t stride = 32;
    while (to - from >= stride) {
      answer counts[stride] = {};
      for (unsigned char round = 0; round != 255 && to - from >= stride; ++round, from += stride)
        for (std::size_t k = 0; k != stride; ++k)
          counts[k] = static_cast<answer>(counts[k] + (hit(from + k) ? 1 : 0));
      for (const answer c : counts) sum += static_cast<std::size_t>(c);
    }
  }
  for (; from != to; ++from) sum += hit(from) ? 1 : 0;
  return sum;
}

}  // namespace filch::detail
