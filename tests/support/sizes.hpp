// The sizes at which algorithms tend to fail.
#pragma once

#include <cstddef>
#include <vector>

namespace filch::test {

/// 0 to 3, powers of two and their neighbours, and some ordinary sizes, up to `largest`.
inline std::vector<std::size_t> sizes(std::size_t largest = 70'000) {
  std::vector<std::size_t> all = {0, 1, 2, 3, 25, 100, 1000, 12'345};
  for (std::size_t power = 4; power <= largest; power *= 2)
    for (const std::size_t n : {power - 1, power, power + 1}) all.push_back(n);
  std::erase_if(all, [&](std::size_t n) { return n > largest; });
  return all;
}

}  // namespace filch::test
