// So few items that it takes less time to write each of them to two places than to decide which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

#include "filch/detail/split/few_marks.hpp"
#include "filch/detail/split/marks.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/splitter.hpp"

namespace filch::detail {

/// Up to `few_marks::most` items that are no more than their bytes, copied apart: those that are
/// picked and, if `Both`, the others. The items are asked as any loop would, several at once if
/// that is dear, where they are; the calling thread then copies them back. So nothing has moved if
/// asking ends early.
///
/// There is no branch that depends on the answers, and nothing to remember of them: every item is
/// written to both groups, over the one before it if that belongs to the other.
template <std::contiguous_iterator I, bool Both>
requires marks::copies_bytes<I, I>
class few_apart {
  using value = std::iter_value_t<I>;

 public:
  /// Picks those of the `n` items for which test(iterator) says so. Options and Throws as
  /// for_blocks(), and nothing has moved then.
  template <fork_policy Fork, class Test>
  few_apart(const Fork& fork, const I& first, std::size_t n, const options& o, Test&& test)
      : first_(first), n_(n) {
    for_blocks(fork, n, o, [&](std::size_t from, std::size_t to) { part(from, to, test); });
  }
  few_apart(const few_apart&) = delete;
  few_apart& operator=(const few_apart&) = delete;

  /// Copies those that are picked to the front, in order; the others keep their values or have lost
  /// them. Returns how many are picked.
  std::size_t keep() const {
    value* const item = std::to_address(first_);
    std::size_t count = 0;
    for (std::size_t p = 0; p != n_; p = end_[p]) {
      std::copy_n(picked_.items() + p, picks_[p], item + count);
      count += picks_[p];
    }
    return count;
  }

  /// Copies those that are picked to the front, the others behind them, both in order. Returns how
  /// many are picked.
  std::size_t divide() const requires Both {
    const std::size_t border = keep();
    value* back = std::to_address(first_) + border;
    for (std::size_t p = 0; p != n_; p = end_[p])
      back = std::copy_n(others_.items() + p, end_[p] - p - picks_[p], back);
    return border;
  }

 private:
  /// Memory for as many values.
  struct room {
    value* items() noexcept { return reinterpret_cast<value*>(bytes); }
    const value* items() const noexcept { return reinterpret_cast<const value*>(bytes); }
    alignas(value) std::byte bytes[few_marks::most * sizeof(value)];
  };
  struct no_room {
    value* items() noexcept { return nullptr; }
  };

  /// Asks `Count` items from number `i` of a part on, before which there are `count` that are
  /// picked. Returns how many there are behind them. One group after the other: a processor writes
  /// twice at once if that is to the same cache line.
  template <std::size_t Count, class Test>
  std::size_t put(const I& place, std::size_t i, std::size_t count, value* yes, value* no,
                  Test& test) {
    std::size_t picked[Count + 1] = {count};
#pragma GCC unroll 4
    for (std::size_t k = 0; k != Count; ++k) {
      picked[k + 1] = picked[k] + (test(detail::at(place, k)) ? 1 : 0);
      yes[picked[k]] = *detail::at(place, k);
    }
    if constexpr (Both) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k != Count; ++k) no[i + k - picked[k]] = *detail::at(place, k);
    }
    return picked[Count];
  }

  template <class Test>
  void part(std::size_t from, std::size_t to, Test& test) {
    const std::size_t items = to - from;
    const I first = detail::at(first_, from);
    value* const yes = picked_.items() + from;
    value* const no = Both ? others_.items() + from : nullptr;
    std::size_t count = 0;
    std::size_t i = 0;
    for (; i + 4 <= items; i += 4) count = put<4>(detail::at(first, i), i, count, yes, no, test);
    for (; i != items; ++i) count = put<1>(detail::at(first, i), i, count, yes, no, test);
    end_[from] = static_cast<unsigned char>(to);
    picks_[from] = static_cast<unsigned char>(count);
  }

  const I first_;
  const std::size_t n_;
  room picked_;  // of a part, where it begins
  [[no_unique_address]] std::conditional_t<Both, room, no_room> others_;
  unsigned char end_[few_marks::most];    // of the part that begins here
  unsigned char picks_[few_marks::most];  // in that part
};

}  // namespace filch::detail
