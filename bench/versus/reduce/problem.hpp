// The sum of 100 million doubles, which runs at the speed of memory if the additions do not wait
// for each other. The size is the number of doubles; a sample adds them several times.
#pragma once

#include <cstddef>
#include <vector>

#include "harness.hpp"

namespace reduce {

inline constexpr int passes = 3;

inline constexpr bench::problem problem{
    "reduce", {.full = 100'000'000, .quick = 100'000'000, .tiny = 1000}, "pass", [](int) {
      return static_cast<double>(passes);
    }};

class input {
 public:
  explicit input(int n) : numbers(static_cast<std::size_t>(n)) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 8);
  }
  int size() const { return static_cast<int>(numbers.size()); }
  /// Whole numbers below 2^53: any order gives the same sum.
  bool correct() const {
    const std::size_t n = numbers.size();
    std::size_t expected = n / 8 * 28;
    for (std::size_t i = 0; i < n % 8; ++i) expected += i;
    return sum == passes * static_cast<double>(expected);
  }

  std::vector<double> numbers;
  double sum = 0;
};

}  // namespace reduce
