// Quicksort of random 32-bit numbers: divide, then sort both sides at once. The first division runs
// on one thread, so two workers are at best a little less than twice as fast as one. Below a
// cut-off every program sorts serially, with the same code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace quicksort {

using numbers = std::span<std::uint32_t>;

inline constexpr std::size_t cut_off = 1024;

/// Moves the smaller elements to the left, and returns both sides: neither is empty. `v` has two or
/// more elements.
inline std::pair<numbers, numbers> divide(numbers v) {
  const auto ordered = std::minmax(v.front(), v.back());
  const std::uint32_t pivot =
      std::clamp(v[v.size() / 2], ordered.first, ordered.second);  // the median of three
  std::size_t i = 0;
  std::size_t j = v.size() - 1;
  for (;; ++i, --j) {
    while (v[i] < pivot) ++i;
    while (pivot < v[j]) --j;
    if (i >= j) break;
    std::swap(v[i], v[j]);
  }
  const std::size_t middle = std::clamp(i, std::size_t{1}, v.size() - 1);
  return {v.first(middle), v.subspan(middle)};
}

inline void sort_serial(numbers v) {
  while (v.size() > 24) {
    const auto [left, right] = divide(v);
    sort_serial(left);
    v = right;
  }
  for (std::size_t i = 1; i < v.size(); ++i) {
    const std::uint32_t x = v[i];
    std::size_t at = i;
    for (; at > 0 && x < v[at - 1]; --at) v[at] = v[at - 1];
    v[at] = x;
  }
}

class input {
 public:
  explicit input(int count) : v_(static_cast<std::size_t>(count)) {
    std::uint32_t x = 2'463'534'242;
    for (std::uint32_t& number : v_) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      number = x;
      sum_ += x;
    }
  }
  numbers all() { return v_; }
  bool correct() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t number : v_) sum += number;
    return sum == sum_ && std::is_sorted(v_.begin(), v_.end());
  }

 private:
  std::vector<std::uint32_t> v_;
  std::uint64_t sum_ = 0;
};

inline constexpr bench::problem by_join{"quicksort",
                                        {.full = 10'000'000, .quick = 1'000'000, .tiny = 5000}};

}  // namespace quicksort
