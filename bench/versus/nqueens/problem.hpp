// In how many ways n queens can stand on a board without attacking each other. There is a fork for
// every allowed square in the next row, and no cut-off: small, uneven branches with a little work
// each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness.hpp"

namespace nqueens {

/// Queens in the first rows of a board.
class board {
 public:
  explicit board(int size) : size_(size) {}
  bool full() const { return rows_ == size_; }

  /// Returns the first column in the next row, from `column` on, that no queen attacks; none() if
  /// there is none.
  int allowed_from(int column) const {
    while (column < size_ && attacked(column)) ++column;
    return column;
  }
  int none() const { return size_; }

  board with(int column) const {
    board b = *this;
    b.column_[static_cast<std::size_t>(b.rows_++)] = static_cast<std::uint8_t>(column);
    return b;
  }

 private:
  bool attacked(int column) const {
    for (int row = 0; row < rows_; ++row) {
      const int other = column_[static_cast<std::size_t>(row)];
      const int distance = rows_ - row;
      if (other == column || other == column - distance || other == column + distance) return true;
    }
    return false;
  }

  std::array<std::uint8_t, 16> column_{};
  int size_;
  int rows_ = 0;
};

/// Returns the number of ways to fill the rest of `b`, on one thread.
inline int ways_serial(const board& b) {
  if (b.full()) return 1;
  int ways = 0;
  for (int c = b.allowed_from(0); c != b.none(); c = b.allowed_from(c + 1))
    ways += ways_serial(b.with(c));
  return ways;
}

inline int answer(int n) {
  constexpr std::array known{1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14'200, 73'712, 365'596};
  if (n >= static_cast<int>(known.size())) throw bench::usage_error("nqueens: at most 14");
  return known[static_cast<std::size_t>(n)];
}

inline constexpr bench::problem all{"nqueens", {.full = 14, .quick = 11, .tiny = 6}};

}  // namespace nqueens
