// y = a * x + y: reads two floats and writes one for two operations. So it measures memory, and
// whether a runtime keeps both cores busy all the time. The size is the number of floats. With
// fewer than some millions they stay in caches, which is another problem.
//
// A sample goes over them several times, so that entering the runtime, and waking a sleeping
// worker, do not count. No program gives a grain for this operation.
#pragma once

#include <cstddef>
#include <vector>

#include "harness.hpp"

namespace axpy {

inline constexpr int passes = 10;
inline constexpr float factor = 0.5F;

inline constexpr bench::problem problem{
    "axpy", {.full = 10'000'000, .quick = 10'000'000, .tiny = 1000}, "pass", [](int) {
      return static_cast<double>(passes);
    }};

class input {
 public:
  explicit input(int floats)
      : a(bench::opaque(factor)),
        x(static_cast<std::size_t>(floats)),
        y(static_cast<std::size_t>(floats)) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = first_x(i);
      y[i] = first_y(i);
    }
  }
  int floats() const { return static_cast<int>(x.size()); }
  /// All numbers are small multiples of a half, for which there is no rounding.
  bool correct() const {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (y[i] != first_y(i) + passes * factor * first_x(i)) return false;
    return true;
  }

  float a;
  std::vector<float> x;
  std::vector<float> y;

 private:
  static float first_x(std::size_t i) { return static_cast<float>(i % 61); }
  static float first_y(std::size_t i) { return static_cast<float>(i % 53); }
};

}  // namespace axpy
