// The running sums of 100 million ints, into another array: 4 bytes read and 4 written for each, if
// the input is read once. A program that reads the input twice, to know the sums of all parts
// first, moves half as much memory again. The size is the number of ints; a sample does it several
// times.
#pragma once

#include <cstddef>
#include <vector>

#include "harness.hpp"

namespace scan {

inline constexpr int passes = 3;

inline constexpr bench::problem problem{
    "scan", {.full = 100'000'000, .quick = 100'000'000, .tiny = 1000}, "pass", [](int) {
      return static_cast<double>(passes);
    }};

class input {
 public:
  explicit input(int n) : numbers(static_cast<std::size_t>(n)), sums(static_cast<std::size_t>(n)) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i % 7) - 2;
  }
  int size() const { return static_cast<int>(numbers.size()); }
  bool correct() const {
    int sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (sums[i] != (sum += numbers[i])) return false;
    return true;
  }

  std::vector<int> numbers;
  std::vector<int> sums;
};

}  // namespace scan
