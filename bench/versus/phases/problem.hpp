// Many short loops one after the other, each of which needs all results of the one before, as in
// the steps of a simulation. A loop has 64 items of about 50 ns. So it ends after some
// microseconds, and a helper has to be there at once. The size is the number of loops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness.hpp"

namespace phases {

inline constexpr bench::problem problem{
    "phases", {.full = 2000, .quick = 2000, .tiny = 3}, "loop", [](int size) {
      return static_cast<double>(size);
    }};

inline constexpr int items = 64;

/// Two generations of numbers: a loop reads one and writes the other.
class input {
 public:
  explicit input(int size) : loops(size) {
    for (std::size_t i = 0; i < items; ++i) numbers_[0][i] = i + 1;
  }
  /// Computes item `i` of loop `l`.
  void run(int l, int i) {
    const auto& old = numbers_[static_cast<std::size_t>(l) % 2];
    // The neighbour is a different one each time, and often one that another thread computed.
    std::uint64_t x =
        old[static_cast<std::size_t>(i)] + old[static_cast<std::size_t>(i + 1 + l) % items];
    for (int step = 0; step < 44; ++step) x = (x ^ (x >> 29)) * 6'364'136'223'846'793'005U;
    numbers_[static_cast<std::size_t>(l + 1) % 2][static_cast<std::size_t>(i)] = x;
  }
  bool correct() const {
    input again(loops);
    for (int l = 0; l < loops; ++l)
      for (int i = 0; i < items; ++i) again.run(l, i);
    return again.numbers_ == numbers_;
  }

  int loops;

 private:
  std::array<std::array<std::uint64_t, items>, 2> numbers_{};
};

}  // namespace phases
