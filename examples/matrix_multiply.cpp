// The product of two matrices, tile by tile.
//
//     example_matrix_multiply [SIZE]
//
// The tiles of the result are a loop over two dimensions. Each tile is computed from a strip of one
// matrix and a strip of the other, which fit into the cache. Any thread may compute any tile.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <system_error>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"

namespace {

/// A square matrix, stored row by row.
class matrix {
 public:
  explicit matrix(std::size_t size) : size_(size), cells_(size * size) {}
  std::size_t size() const { return size_; }
  double* row(std::size_t i) { return cells_.data() + i * size_; }
  const double* row(std::size_t i) const { return cells_.data() + i * size_; }

 private:
  std::size_t size_;
  std::vector<double> cells_;
};

constexpr std::size_t tile = 64;

/// Computes the rows and columns of the result from (i0, j0) on. The innermost loop goes along rows
/// of both matrices, so it vectorises.
void multiply_tile(const matrix& a, const matrix& b, matrix& c, std::size_t i0, std::size_t j0) {
  const std::size_t n = c.size();
  const std::size_t i1 = std::min(i0 + tile, n);
  const std::size_t j1 = std::min(j0 + tile, n);
  for (std::size_t k0 = 0; k0 < n; k0 += tile)
    for (std::size_t i = i0; i < i1; ++i)
      for (std::size_t k = k0; k < std::min(k0 + tile, n); ++k) {
        const double factor = a.row(i)[k];
        const double* const from = b.row(k);
        double* const to = c.row(i);
        for (std::size_t j = j0; j < j1; ++j) to[j] += factor * from[j];
      }
}

matrix multiply(const matrix& a, const matrix& b) {
  matrix c(a.size());
  const std::size_t tiles = (a.size() + tile - 1) / tile;
  filch::parallel_for(
      std::size_t{0}, tiles, std::size_t{0}, tiles,
      [&](std::size_t i, std::size_t j) { multiply_tile(a, b, c, i * tile, j * tile); });
  return c;
}

/// Makes a matrix of small whole numbers, so that every sum is exact.
matrix example(std::size_t size, std::size_t seed) {
  matrix m(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      m.row(i)[j] = static_cast<double>((i * 7 + j * seed) % 11) - 5;
  return m;
}

/// Checks row `i` of the product against the definition.
bool is_right(const matrix& a, const matrix& b, const matrix& c, std::size_t i) {
  for (std::size_t j = 0; j < c.size(); ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < c.size(); ++k) sum += a.row(i)[k] * b.row(k)[j];
    if (c.row(i)[j] != sum) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  std::size_t size = 200;
  if (argc > 2) {
    std::fprintf(stderr, "usage: %s [SIZE]\n", argv[0]);
    return 2;
  }
  if (argc == 2) {
    const char* const end = argv[1] + std::strlen(argv[1]);
    const auto [rest, error] = std::from_chars(argv[1], end, size);
    if (error != std::errc() || rest != end || size < 1 || size > 20'000) {
      std::fprintf(stderr, "matrix_multiply: '%s' is not a size from 1 to 20000\n", argv[1]);
      return 2;
    }
  }
  const matrix a = example(size, 3);
  const matrix b = example(size, 5);
  const auto start = std::chrono::steady_clock::now();
  const matrix c = multiply(a, b);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const auto n = static_cast<double>(size);
  std::printf("%zu x %zu: %.3f s, %.1f billion operations a second\n", size, size, took.count(),
              2e-9 * n * n * n / took.count());

  bool right = true;
  for (std::size_t i = 0; i < size; i += 1 + size / 100) right = right && is_right(a, b, c, i);
  if (!right) std::fprintf(stderr, "matrix_multiply: the product is WRONG\n");
  return right ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "matrix_multiply: %s\n", e.what());
  return 1;
}
