// Copies the elements of a range of ranges to one range.
#pragma once

#include "filch/detail/kernel/bitmask.hpp"
#include "filch/detail/kernel/collect.hpp"

namespace filch::detail {

/// A range whose elements are ranges.
template <class R>
concept range_of_ranges =
    splittable_range<R> && splittable_range<std::ranges::range_reference_t<R>>;

template <class R>
using inner_iterator = std::ranges::iterator_t<std::ranges::range_reference_t<R>>;

/// The index at which each inner range begins in the output, and the total number of elements. If
/// the outer range makes its inner ranges on the fly, an inner range is made anew each time it is
/// needed.
template <std::random_access_iterator I>
class joined_ranges {
 public:
  /// Throws `usage_error` if there are more ranges or elements than can be counted.
  joined_ranges(I first, std::size_t n) : first_(first) {
    const std::size_t ends = detail::sum_of_sizes(n, 1, "flatten()");
    detail::require_capacity(begins_, ends, "flatten()");
    begins_.resize(ends);
    for (std::size_t i = 0; i != n; ++i) {
      auto&& inner = first[static_cast<std::iter_difference_t<I>>(i)];
      begins_[i + 1] = detail::sum_of_sizes(begins_[i], detail::size_of(inner), "flatten()");
    }
  }
  std::size_t size() const noexcept { return begins_.back(); }

  /// Calls f(first, last) for each piece of an inner range that is part of the elements [from, to).
  template <class F>
  void for_pieces(std::size_t from, std::size_t to, F&& f) const {
    auto next = std::upper_bound(begins_.begin(), begins_.end(), from);
    for (; from != to; ++next) {
      if (*next == from) continue;  // an empty inner range
      auto&& inner = first_[static_cast<std::iter_difference_t<I>>(next - begins_.begin() - 1)];
      const std::size_t begin = *std::prev(next);
      const std::size_t end = std::min(to, *next);
      f(detail::at(std::ranges::begin(inner), from - begin),
        detail::at(std::ranges::begin(inner), end - begin));
      from = end;
    }
  }

 private:
  I first_;
  std::vector<std::size_t> begins_;
};

template <fork_policy Fork, std::random_access_iterator I, std::random_access_iterator O>
O flatten_with(const Fork& fork, I first, std::size_t n, O out, const options& o) {
  const joined_ranges<I> all(first, n);
  const auto leaf = [&](std::size_t from, std::size_t to) {
    O target = detail::at(out, from);
    all.for_pieces(from, to, [&](auto begin, auto end) { target = std::copy(begin, end, target); });
  };
  for_blocks(fork, all.size(), o, leaf, worth_moving<O>);
  return detail::at(out, all.size());
}

template <class T, fork_policy Fork, std::random_access_iterator I>
std::vector<T> flatten_with(const Fork& fork, I first, std::size_t n, const options& o) {
  const joined_ranges<I> all(first, n);
  detail::require_capacity(std::vector<T>(), all.size(), "flatten()");
  const even_blocks blocks(fork, all.size(), grain_of(o, worth_moving<T*>));
  return detail::collect<T>(
      fork, blocks, o, [&](std::size_t b) { return blocks[b]; },
      [&](std::size_t, std::size_t from, std::size_t to, auto out) {
        all.for_pieces(from, to, [&](auto begin, auto end) { out = std::copy(begin, end, out); });
      });
}

}  // namespace filch::detail
