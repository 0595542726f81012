// The sizes at which algorithms tend to fail.
#pragma once

#include <cstddef>
#include <vector>

#include "support/sanitizers.hpp"

namespace filch::test {

/// 0 to 3, powers of two and their neighbours, and some ordinary sizes, up to `largest`. With a
/// sanitizer a power above 512 has one neighbour only, and is not there itself.
inline std::vector<std::size_t> sizes(std::size_t largest = size_for_build(70'000, 35'000)) {
  std::vector<std::size_t> all = {0, 1, 2, 3, 25, 100, 1000, 12'345};
  bool above = true;
  for (std::size_t power = 4; power <= largest; power *= 2, above = !above) {
    if (size_for_build(false, power > 512))
      all.push_back(above ? power + 1 : power - 1);
    else
      all.insert(all.end(), {power - 1, power, power + 1});
  }
  std::erase_if(all, [&](std::size_t n) { return n > largest; });
  return all;
}

}  // namespace filch::test
