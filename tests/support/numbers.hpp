// Items whose values tell their positions.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace filch::test {

/// 0, 1, ..., n - 1.
inline std::vector<int> numbers(std::size_t n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

}  // namespace filch::test
