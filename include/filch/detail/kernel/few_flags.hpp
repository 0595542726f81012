// Flags for at most 128 items, for which preparations would take longer than moving them.
#pragma once

#include "filch/detail/kernel/bitmask_words.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

/// The largest number of items that few_flags can hold.
inline constexpr std::size_t most_few = 128;

/// Which of at most `most_few` items are selected. For more items there is `bitmask`. The items are
/// tested in place by a loop like any other, several at once if the test is expensive. The calling
/// thread then moves them, so nothing has moved if the test ends early.
///
/// The flag of a number is as wide as the number, so that the test vectorises. Other items have a
/// byte. Making bits of the flags and counting them would take as long as moving the items.
///
/// Trivially copyable items (copies_bytes) are all written, each over the one before it if that was
/// not selected. So no branch depends on the flags.
template <std::random_access_iterator I>
class few_flags {
  using value = std::iter_value_t<I>;

 public:
  /// Selects those of the `n` items for which test(iterator) is true. Options, Throws and `least`
  /// are those of for_blocks(). If it throws, nothing has moved.
  template <fork_policy Fork, class Test>
  few_flags(const Fork& fork, const I& first, std::size_t n, const options& o, Test&& test,
            std::size_t least = 1)
      : first_(first), n_(n) {
    const auto leaf = [&](std::size_t from, std::size_t to) {
      for (; from != to; ++from) flags()[from] = test(detail::at(first, from)) ? 1 : 0;
    };
    for_blocks(fork, n, o, leaf, least);
  }
  few_flags(const few_flags&) = delete;
  few_flags& operator=(const few_flags&) = delete;

  /// Copies the selected items to the range that begins at `out`, in order, and writes nothing
  /// behind them. Returns the end of the copies.
  template <std::random_access_iterator O>
  O copy(O out) const {
    if constexpr (copies_bytes<I, O>) {
      std::size_t end = n_;  // behind the last selected item
      while (end != 0 && flags()[end - 1] == 0) --end;
      const auto* const from = std::to_address(first_);
      auto* const to = std::to_address(out);
      std::size_t count = 0;
#pragma GCC unroll 4
      for (std::size_t i = 0; i != end; ++i) {
        to[count] = from[i];
        count += flags()[i];
      }
      return detail::at(out, count);
    } else {
      for (std::size_t i = 0; i != n_; ++i) {
        if (flags()[i] == 0) continue;
        *out = *detail::at(first_, i);
        ++out;
      }
      return out;
    }
  }

  /// Moves the selected items to the front, in order. The items behind them stay valid, with
  /// unspecified values. Returns how many are selected.
  std::size_t close_gaps() const {
    std::size_t count = 0;
    if constexpr (copies_bytes<I, I>) {
      value* const item = std::to_address(first_);
#pragma GCC unroll 4
      for (std::size_t i = 0; i != n_; ++i) {
        item[count] = item[i];
        count += flags()[i];
      }
    } else {
      for (std::size_t i = 0; i != n_; ++i) {
        if (flags()[i] == 0) continue;
        if (i != count) *detail::at(first_, count) = std::ranges::iter_move(detail::at(first_, i));
        ++count;
      }
    }
    return count;
  }

  /// Moves the selected items to the front and the others behind them, both in order. Returns how
  /// many are selected.
  std::size_t divide() const requires copies_bytes<I, I> {
    alignas(value) std::byte bytes[most_few * sizeof(value)];
    value* const others = reinterpret_cast<value*>(bytes);
    value* const item = std::to_address(first_);
    std::size_t count = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i != n_; ++i) {
      const value x = item[i];
      item[count] = x;
      others[i - count] = x;
      count += flags()[i];
    }
    std::copy_n(others, n_ - count, item + count);
    return count;
  }

  /// Moves the selected items to the front, in any order, with as few swaps as possible: as many
  /// items are on the wrong side on the left as on the right. Returns how many are selected.
  std::size_t swap_sides() const {
    if (n_ == 0) return 0;
    // The loop that tests the items writes the first flag alone and the later ones as vectors. They
    // are read in the same units: a vector read across two written ones would wait until both are
    // in the cache.
    const std::uint64_t behind = packed(1);
    const std::uint64_t low = behind << 1 | flags()[0];
    const std::uint64_t high = packed(65) << 1 | behind >> 63;
    const std::size_t border = bits_in(low) + bits_in(high);
    // The items before the border, among the first 64 and among the second 64.
    const std::uint64_t low_left = border >= 64 ? ~std::uint64_t{0} : bits_below(border);
    const std::uint64_t high_left = border <= 64 ? 0 : bits_below(border - 64);
    wrong_ones left{first_, ~low & low_left, ~high & high_left};
    wrong_ones right{first_, low & ~low_left, high & ~high_left};
    while (left.has_near() && right.has_near())
      while (left.near != 0 && right.near != 0) std::ranges::iter_swap(left.next(), right.next());
    return border;
  }

 private:
  using flag =
      std::conditional_t<std::contiguous_iterator<I> && std::is_arithmetic_v<value>,
                         answer_of<std::min<std::size_t>(sizeof(value), 8)>, unsigned char>;

  /// The flags of the n_ items.
  flag* flags() noexcept { return flags_.data() + before_first; }
  const flag* flags() const noexcept { return flags_.data() + before_first; }

  /// The items on the wrong side, as bits: 64 items from `base` on (`near`), and the 64 behind them
  /// (`far`).
  struct wrong_ones {
    I base;
    std::uint64_t near;
    std::uint64_t far;
    /// Is there one? If so, it is in `near`.
    bool has_near() {
      if (near == 0) {
        base = far == 0 ? base : detail::at(base, 64);
        near = std::exchange(far, 0);
      }
      return near != 0;
    }
    /// Requires has_near().
    I next() {
      const auto bit = static_cast<unsigned>(std::countr_zero(near));
      near &= near - 1;
      return detail::at(base, bit);
    }
  };
  /// `i` is at most 64.
  static std::uint64_t bits_below(std::size_t i) noexcept {
    return i == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << i) - 1;
  }
  /// The flags of up to 64 items from `first` on, as bits. The bits behind the last item are 0.
  std::uint64_t packed(std::size_t first) const noexcept {
    const flag* const from = flags() + first;
    const std::size_t count = first < n_ ? std::min<std::size_t>(n_ - first, 64) : 0;
    std::uint64_t word = 0;
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) word |= bits_of_flags(from + i) << i;
    for (; i != count; ++i) word |= std::uint64_t{from[i]} << i;
    return word;
  }

  const I first_;
  const std::size_t n_;
  /// Padding that makes the flag of the second item the start of a vector: see swap_sides().
  static constexpr std::size_t before_first = 16 / sizeof(flag) - 1;
  alignas(16) std::array<flag, before_first + most_few> flags_;
};

}  // namespace filch::detail
