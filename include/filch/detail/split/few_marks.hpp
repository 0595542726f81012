// Marks of so few items that preparations would take longer than moving them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>

#include "filch/detail/split/marks.hpp"
#include "filch/detail/split/range.hpp"

namespace filch::detail {

/// Which of up to `most` items are marked: what marks are to many. The items are asked as any loop
/// would, several at once if that is dear; the calling thread then moves them. A mark is a byte,
/// since to make bits of them and to count these takes as long as to move a hundred numbers.
///
/// What copies numbers has no branch that depends on the marks: all are written, each over the one
/// before it if that was not wanted. (To move them within their range, few_apart needs no marks.)
class few_marks {
 public:
  static constexpr std::size_t most = 128;

  /// Marks those of the `n` items for which test(iterator) says so. Options and Throws as
  /// for_blocks(), and nothing has moved then.
  template <fork_policy Fork, std::random_access_iterator I, class Test>
  few_marks(const Fork& fork, const I& first, std::size_t n, const options& o, Test&& test)
      : n_(n) {
    for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) {
      if (to - from == 1)
        marked_[from] = test(detail::at(first, from)) ? 1 : 0;
      else
        marks::ask(detail::at(first, from), to - from, marked_ + from, test);
    });
  }
  few_marks(const few_marks&) = delete;
  few_marks& operator=(const few_marks&) = delete;

  /// Copies the marked items to `out` and what follows it, in order, and nothing behind them.
  /// Returns the end of the copies.
  template <std::random_access_iterator I, std::random_access_iterator O>
  O copy(const I& first, O out) const {
    if constexpr (marks::copies_bytes<I, O>) {
      std::size_t end = n_;  // behind the last that is marked
      while (end != 0 && marked_[end - 1] == 0) --end;
      const auto* const from = std::to_address(first);
      auto* const to = std::to_address(out);
      std::size_t count = 0;
#pragma GCC unroll 4
      for (std::size_t i = 0; i != end; ++i) {
        to[count] = from[i];
        count += marked_[i];
      }
      return detail::at(out, count);
    } else {
      for (std::size_t i = 0; i != n_; ++i) {
        if (marked_[i] == 0) continue;
        *out = *detail::at(first, i);
        ++out;
      }
      return out;
    }
  }

  /// Moves the marked items to the front, in order; those behind them are then valid, with values
  /// that nobody knows. Returns how many are marked.
  template <std::random_access_iterator I>
  std::size_t close_gaps(const I& first) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i != n_; ++i) {
      if (marked_[i] == 0) continue;
      if (i != count) *detail::at(first, count) = std::ranges::iter_move(detail::at(first, i));
      ++count;
    }
    return count;
  }

  /// Moves the marked items to the front, in any order, with as few swaps as possible: those that
  /// are on the wrong side are as many on the left as on the right. Returns how many are marked.
  template <std::random_access_iterator I>
  std::size_t swap_sides(const I& first) {
    std::memset(marked_ + n_, 0, 8);
    const std::uint64_t low = marks::packed(marked_, std::min<std::size_t>(n_, 64));
    const std::uint64_t high = n_ > 64 ? marks::packed(marked_ + 64, n_ - 64) : 0;
    const std::size_t border = bits_in(low) + bits_in(high);
    // Those before the border, of the first and of the second 64.
    const std::uint64_t low_left = border >= 64 ? ~std::uint64_t{0} : bits_below(border);
    const std::uint64_t high_left = border <= 64 ? 0 : bits_below(border - 64);
    wrong_ones<I> left{first, ~low & low_left, ~high & high_left};
    wrong_ones<I> right{first, low & ~low_left, high & ~high_left};
    while ((right.near | right.far) != 0) {
      const I i = left.next();
      std::ranges::iter_swap(i, right.next());
    }
    return border;
  }

 private:
  /// Items by their bits: 64 from `base` on, and those behind them.
  template <class I>
  struct wrong_ones {
    I base;
    std::uint64_t near;
    std::uint64_t far;
    /// There is one.
    I next() {
      if (near == 0) {
        base = detail::at(base, 64);
        near = std::exchange(far, 0);
      }
      const auto bit = static_cast<unsigned>(std::countr_zero(near));
      near &= near - 1;
      return detail::at(base, bit);
    }
  };
  /// For i < 64, or for 128 - 64.
  static std::uint64_t bits_below(std::size_t i) noexcept {
    return i == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << i) - 1;
  }

  const std::size_t n_;
  unsigned char marked_[most + 8];  // of n_ items; 8 more, to be read as 0 with the last
};

}  // namespace filch::detail
