// flatten: the elements of several ranges, one after the other.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <new>
#include <ranges>
#include <type_traits>
#include <vector>

#include "filch/detail/split/bitmask.hpp"
#include "filch/detail/split/collect.hpp"
#include "filch/detail/split/iter_range.hpp"
#include "filch/detail/split/launch.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/sizes.hpp"
#include "filch/options.hpp"

namespace filch {

namespace detail {

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
  for_blocks(
      fork, all.size(), o,
      [&](std::size_t from, std::size_t to) {
        O target = detail::at(out, from);
        all.for_pieces(from, to,
                       [&](auto begin, auto end) { target = std::copy(begin, end, target); });
      },
      worth_moving<O>);
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

}  // namespace detail

/// Returns the elements of all ranges in `ranges`, one after the other, as a new vector. Rayon:
/// flatten. Standard library: std::views::join.
///
/// How      The elements are divided among threads, not the ranges: several threads copy a range
///          that is much larger than the others. The inner ranges have random access and a size.
/// Options, Threads, Memory  as parallel_for(); its numbers are the elements.
/// Throws   As parallel_for(); what copying throws; `std::bad_alloc`; `usage_error` if there are
///          more elements than a vector can have. The ranges stay unchanged.
/// Cost     A copy for each element, and a number for each range. Elements that cannot be copied as
///          bytes are moved once more, as in pack(). The caller alone does less than 64 KiB of
///          elements that are copied as bytes.
///
///     std::vector<std::vector<int>> found = ...;
///     const std::vector<int> all = filch::flatten(found);
template <detail::range_of_ranges R>
[[nodiscard]] auto flatten(R&& ranges, const options& o = {})
    -> std::vector<std::iter_value_t<detail::inner_iterator<R>>> {
  using value = std::iter_value_t<detail::inner_iterator<R>>;
  return detail::launch(o, [&] {
    return detail::flatten_with<value>(detail::parallel_fork{}, std::ranges::begin(ranges),
                                       detail::size_of(ranges), o);
  });
}

/// Does the same for the ranges from `first` up to `last`.
template <std::random_access_iterator I, detail::splittable_end<I> S>
requires detail::range_of_ranges<detail::iter_range<I>>
[[nodiscard]] auto flatten(I first, S last, const options& o = {})
    -> std::vector<std::iter_value_t<detail::inner_iterator<detail::iter_range<I>>>> {
  return filch::flatten(detail::iter_range(first, last), o);
}

/// Copies to the elements from `out` on instead: random access, existing elements, no overlap.
/// Throws `usage_error` if there are more elements than std::size_t can count.
///
/// Returns  The end of the copies.
template <detail::range_of_ranges R, std::random_access_iterator O>
requires std::indirectly_copyable<detail::inner_iterator<R>, O>
auto flatten(R&& ranges, O out, const options& o = {}) -> O {
  return detail::launch(o, [&] {
    return detail::flatten_with(detail::parallel_fork{}, std::ranges::begin(ranges),
                                detail::size_of(ranges), out, o);
  });
}

template <std::random_access_iterator I, detail::splittable_end<I> S, std::random_access_iterator O>
requires detail::range_of_ranges<detail::iter_range<I>> &&
    std::indirectly_copyable<detail::inner_iterator<detail::iter_range<I>>, O>
auto flatten(I first, S last, O out, const options& o = {}) -> O {
  return filch::flatten(detail::iter_range(first, last), out, o);
}

}  // namespace filch
