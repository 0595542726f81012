// Many short loops one after the other, each of which needs all results of the one before, as in
// the steps of a simulation. So a loop ends after some microseconds, and a helper has to be there
// at once. The size is the number of loops.
//
//   phases       64 items of 44 steps, about 50 ns
//   phases_long  64 items of 200 steps, about 250 ns
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness.hpp"

namespace phases {

constexpr bench::problem problem(const char* name) {
  return {name, {.full = 2000, .quick = 2000, .tiny = 3}, "loop", [](int size) {
            return static_cast<double>(size);
          }};
}

inline constexpr int items = 64;

/// Two generations of numbers: a loop reads one and writes the other.
template <int Steps>
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
    for (int step = 0; step < Steps; ++step) x = (x ^ (x >> 29)) * 6'364'136'223'846'793'005U;
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

/// Returns a page of both. `run(runtime, input)` runs all loops.
template <class Runtime, class Run>
bench::page<Runtime> page_of(Run run) {
  bench::page<Runtime> page;
  page.template timed_on<input<44>>(problem("phases"), run)
      .template timed_on<input<200>>(problem("phases_long"), run);
  return page;
}

}  // namespace phases
