// What algorithms require of ranges, iterators and projections.
#pragma once

#include <functional>
#include <iterator>
#include <ranges>

#include "filch/detail/loop/sizes.hpp"

namespace filch::detail {

/// A range whose parts can be reached in constant time: vector, array, span, deque, string_view,
/// and any other with random access and a size.
template <class R>
concept splittable_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

/// What an algorithm returns as an iterator of the range R: std::ranges::dangling if the range is a
/// temporary that owns its elements.
template <class R>
using borrowed = std::ranges::borrowed_iterator_t<R>;

/// A splittable range, as an iterator and a sentinel.
template <class S, class I>
concept splittable_end = std::random_access_iterator<I> && std::sized_sentinel_for<S, I>;

/// The number of items of a range. Throws as size_from().
template <splittable_range R>
std::size_t size_of(R& range) {
  return detail::size_from(std::ranges::size(range));
}
template <std::random_access_iterator I, splittable_end<I> S>
std::size_t size_of(const I& first, const S& last) {
  return detail::size_from(last - first);
}

/// The iterator `i` items behind `first`.
template <std::random_access_iterator I>
I at(const I& first, std::size_t i) {
  return first + static_cast<std::iter_difference_t<I>>(i);
}

/// The first number of [low, high) for which before(number) is false, or `high`. It is true for
/// those in front of that number.
template <class Before>
std::size_t first_not(std::size_t low, std::size_t high, const Before& before) {
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (before(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Calls `f` for the items [from, to) of the range that begins with `first`. The compiler sees a
/// plain loop over iterators, which it vectorises. A deque is walked block by block.
template <std::random_access_iterator I, class F>
void each_of(const I& first, std::size_t from, std::size_t to, F&& f) {
  const I last = detail::at(first, to);
  for (I i = detail::at(first, from); i != last; ++i) f(*i);
}

/// How many items are worth a fork if each takes a handful of instructions: copying, filling,
/// adding, comparing numbers. Fewer than twice as many are never forked, on any thread: 8192 items
/// take a few microseconds, as long as waking a worker.
inline constexpr std::size_t cheap_items = 4096;

/// The same, in bytes, for copying bytes, which is limited by memory.
inline constexpr std::size_t cheap_bytes = std::size_t{32} * 1024;

/// How many elements are worth a fork if they are only assigned.
template <class I>
inline constexpr std::size_t worth_a_fork = std::is_trivially_copyable_v<std::iter_value_t<I>> &&
                                                    sizeof(std::iter_value_t<I>) <= 64
                                                ? cheap_bytes / sizeof(std::iter_value_t<I>)
                                                : 1;

/// Can `f` be called with the projected elements?
template <class F, class Proj, class I>
concept projected_call = std::invocable<Proj&, std::iter_reference_t<I>> &&
    std::invocable<F&, std::invoke_result_t<Proj&, std::iter_reference_t<I>>>;

/// A projection of the elements of a range.
template <class Proj, class I>
concept projection_of = std::invocable<Proj&, std::iter_reference_t<I>>;

/// The value type of what a projection returns. (The reference type of an iterator may be a proxy,
/// such as the reference into a std::vector<bool>.)
template <class Proj, class I>
using projected_value =
    std::conditional_t<std::same_as<Proj, std::identity>, std::iter_value_t<I>,
                       std::remove_cvref_t<std::invoke_result_t<Proj&, std::iter_reference_t<I>>>>;

/// Elements that several threads may write at once. Those of a std::vector<bool> are excluded:
/// neighbours share a word, and they are written through proxies.
template <class I>
concept separate_elements =
    !std::same_as<std::iter_value_t<I>, bool> || std::is_reference_v<std::iter_reference_t<I>> ||
    std::same_as<std::iter_reference_t<I>, bool>;

/// The items from `first` up to `last`. Overloads that take iterators use it to call the overload
/// that takes a range. It is not a view, but refers to the items like one.
template <std::random_access_iterator I>
class iter_range {
 public:
  template <splittable_end<I> S>
  iter_range(I first, const S& last)
      : first_(first), size_(static_cast<std::iter_difference_t<I>>(last - first)) {}

  I begin() const { return first_; }
  I end() const { return first_ + size_; }
  std::size_t size() const { return detail::size_from(size_); }

 private:
  I first_;
  std::iter_difference_t<I> size_;
};

/// Returns the `n` items from `first` on. A negative number counts as 0.
template <std::random_access_iterator I, class D>
iter_range<I> first_items(I first, D n) {
  return {first, detail::at(first, n > 0 ? detail::size_from(n) : 0)};
}

}  // namespace filch::detail

template <class I>
inline constexpr bool std::ranges::enable_borrowed_range<filch::detail::iter_range<I>> = true;
