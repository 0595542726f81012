// The sources of a chain: ranges that it borrows, ranges that it owns, and computed items.
#pragma once

#include "filch/detail/chain/protocol.hpp"
#include "filch/detail/loop/range.hpp"

namespace filch::detail {

using plumbing::wanted;

/// Are the items numbers, and all items that they are mapped from? Then each takes few
/// instructions, and compilers vectorise loops over them.
template <class Source>
inline constexpr bool computes_numbers =
    std::is_arithmetic_v<std::remove_cvref_t<typename Source::item>>;

/// The elements of a range that the caller keeps.
template <std::random_access_iterator I>
struct borrowed_source {
  using item = std::iter_reference_t<I>;
  I start;
  std::size_t count;

  std::size_t size() const noexcept { return count; }
  item get(std::size_t i) const { return start[static_cast<std::iter_difference_t<I>>(i)]; }
  I at(std::size_t i) const { return detail::at(start, i); }
  void drop(std::size_t n) requires std::contiguous_iterator<I> {
    start = at(n);
    count -= n;
  }

  /// Uses iterators, so that a deque is walked block by block.
  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const
      requires(!std::contiguous_iterator<I>) {
    const I end = detail::at(start, last);
    for (I i = detail::at(start, first); i != end; ++i) {
      folder.take(*i);
      if (plumbing::is_full(folder)) return;
    }
  }
};

/// The elements of a container that the chain owns. They are moved out of it.
template <splittable_range R>
struct owned_source {
  using item =
      std::conditional_t<separate_elements<std::ranges::iterator_t<R>>,
                         std::ranges::range_rvalue_reference_t<R>, std::ranges::range_value_t<R>>;
  static constexpr bool gives_away = true;
  mutable R range;  // a chain is const while it runs, but its items are moved out

  std::size_t size() const { return detail::size_of(range); }
  item get(std::size_t i) const { return std::ranges::iter_move(element(i)); }
  /// The element, without moving it out.
  const std::ranges::range_value_t<R>& look(
      std::size_t i) const requires std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> {
    return *element(i);
  }
  auto element(std::size_t i) const { return detail::at(std::ranges::begin(range), i); }
};

/// The items of a view given as an rvalue. It may compute its items, or refer to a range of another
/// owner, so nothing is moved out of it.
template <splittable_range R>
struct view_source {
  using item = std::ranges::range_reference_t<R>;
  mutable R range;  // some views can be iterated only if they are not const

  std::size_t size() const { return detail::size_of(range); }
  item get(std::size_t i) const { return *detail::at(std::ranges::begin(range), i); }
};

/// The items of a source that owns them, not moved out: for consumers that need an item several
/// times.
template <plumbing::looking_source Base>
struct staying_source {
  using item = decltype(std::declval<const Base&>().look(0));
  Base base;

  std::size_t size() const { return base.size(); }
  item get(std::size_t i) const { return base.look(i); }
};

/// Numbers.
template <index T>
struct number_source {
  using item = T;
  counted<T> numbers;

  std::size_t size() const noexcept { return numbers.size(); }
  T get(std::size_t i) const noexcept { return numbers[i]; }

  /// Counts in T. With a counter of another type, a vectorised loop would have to narrow every
  /// position.
  template <class Folder>
  [[gnu::always_inline]] void walk(std::size_t first, std::size_t last, Folder& folder) const {
    const T end = get(last);
    for (T x = get(first); x != end; ++x) {
      folder.take(T{x});
      if (plumbing::is_full(folder)) return;
    }
  }
};
template <class T>
number_source(counted<T>) -> number_source<T>;

/// The same value, repeated.
template <class T>
struct repeat_source {
  using item = const T&;
  T value;
  std::size_t times;

  std::size_t size() const noexcept { return times; }
  item get(std::size_t) const noexcept { return value; }
};

/// A value or none, which is moved out.
template <class T>
struct once_source {
  using item = T&&;
  static constexpr bool gives_away = true;
  mutable std::optional<T> value;

  std::size_t size() const noexcept { return value ? 1 : 0; }
  item get(std::size_t) const noexcept { return *std::move(value); }
};

}  // namespace filch::detail
