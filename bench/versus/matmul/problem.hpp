// C += A * B for square matrices, by quadrants: four products into the four quadrants of C, then
// four more. The leaves are large and few, so it shows what a runtime costs where it should cost
// nothing.
//
// Rayon is left out: nearly all of the time is the leaf, and another language compiles another
// leaf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness.hpp"

namespace matmul {

/// One product of parts of larger matrices: `stride` is the length of their rows.
struct product {
  const float* a;
  const float* b;
  float* c;
  int n;
  std::ptrdiff_t stride;

  static constexpr int leaf = 32;
  bool small() const { return n <= leaf; }

  /// Returns the product that adds to quadrant `q` of C in phase 0 or 1. The products of a phase
  /// are independent.
  product part(int phase, int q) const {
    const std::ptrdiff_t half = n / 2;
    const std::ptrdiff_t down = q / 2 * half * stride;
    const std::ptrdiff_t right = q % 2 * half;
    return {a + down + phase * half, b + phase * half * stride + right, c + down + right, n / 2,
            stride};
  }

  /// Returns one of n / leaf * n / leaf * n / leaf products of leaves.
  product block(int i, int j, int k) const {
    return {a + (i * stride + k) * leaf, b + (k * stride + j) * leaf, c + (i * stride + j) * leaf,
            leaf, stride};
  }

  /// Computes the whole product, without recursion. It is not inlined: it is nearly all of the
  /// time, and inside another function compilers make different code of it, up to a tenth faster or
  /// slower.
  [[gnu::noinline]] void compute() const {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        const float x = a[i * stride + k];
        const float* const row = b + k * stride;
        float* const out = c + i * stride;
        for (int j = 0; j < n; ++j) out[j] += x * row[j];
      }
  }
};

/// Matrices of small whole numbers, so that every sum is exact in any order. They lie in one block
/// of memory, aligned to cache lines and a third of a page apart. If an allocator placed three
/// blocks, their placement would change the time of a leaf by a tenth.
class matrices {
 public:
  explicit matrices(int n) : n_(n), memory_(line + 3 * (cells() + apart)) {
    if (n % product::leaf != 0 || (n & (n - 1)) != 0)
      throw bench::usage_error("matmul: a power of two, from 32");
    std::uint32_t seed = 1;
    for (float* const m : {matrix(0), matrix(1)})
      for (std::size_t i = 0; i < cells(); ++i)
        m[i] = static_cast<float>(static_cast<int>(next(seed) % 9) - 4);
  }

  product whole() { return {matrix(0), matrix(1), matrix(2), n_, n_}; }

  /// Checks that C * v == A * (B * v) for a random v (Freivalds): a wrong cell is missed once in
  /// 2^16.
  bool correct() {
    std::vector<double> v(static_cast<std::size_t>(n_));
    std::uint32_t seed = 2;
    for (double& x : v) x = next(seed) % 65536;
    return times(matrix(2), v) == times(matrix(0), times(matrix(1), v));
  }

 private:
  static constexpr std::size_t line = 64 / sizeof(float);
  static constexpr std::size_t apart = 21 * line;

  std::size_t cells() const { return static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_); }
  float* matrix(std::size_t which) {
    const std::size_t bytes = reinterpret_cast<std::uintptr_t>(memory_.data()) % 64;
    return memory_.data() + (line - bytes / sizeof(float)) % line + which * (cells() + apart);
  }
  static std::uint32_t next(std::uint32_t& seed) {
    seed = seed * 1'664'525 + 1'013'904'223;
    return seed >> 8;
  }
  static std::vector<double> times(const float* m, const std::vector<double>& v) {
    std::vector<double> result(v.size());
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t j = 0; j < v.size(); ++j)
        result[i] += static_cast<double>(m[i * v.size() + j]) * v[j];
    return result;
  }

  int n_;
  std::vector<float> memory_;
};

inline constexpr bench::problem by_quadrants{"matmul", {.full = 2048, .quick = 1024, .tiny = 64}};

}  // namespace matmul
