// The sources of a chain: ranges that it borrows, ranges that it owns, and computed items.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/sizes.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Are the items numbers, and all items that they are mapped from? Then each takes few
/// instructions, and compilers vectorise loops over them.
template <class Source>
inline constexpr bool computes_numbers =
    std::is_arithmetic_v<std::remove_cvref_t<typename Source::item>>;

/// The elements of a range that the caller keeps.
template <std::random_access_iterator I>
class borrowed_source {
 public:
  using item = std::iter_reference_t<I>;
  using iterator = I;

  borrowed_source(I first, std::size_t n) : first_(std::move(first)), size_(n) {}
  std::size_t size() const noexcept { return size_; }
  item get(std::size_t i) const { return first_[static_cast<std::iter_difference_t<I>>(i)]; }
  iterator at(std::size_t i) const { return detail::at(first_, i); }
  void drop(std::size_t n) requires std::contiguous_iterator<I> {
    first_ = at(n);
    size_ -= n;
  }

  /// Uses iterators, so that a deque is walked block by block.
  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const
      requires(!std::contiguous_iterator<I>) {
    const I end = detail::at(first_, last);
    for (I i = detail::at(first_, first); i != end; ++i) {
      folder.take(*i);
      if (plumbing::is_full(folder)) return;
    }
  }

 private:
  I first_;
  std::size_t size_;
};

/// The elements of a container that the chain owns. They are moved out of it.
template <splittable_range R>
class owned_source {
 public:
  using item =
      std::conditional_t<separate_elements<std::ranges::iterator_t<R>>,
                         std::ranges::range_rvalue_reference_t<R>, std::ranges::range_value_t<R>>;
  static constexpr bool gives_away = true;

  explicit owned_source(R range) : range_(std::move(range)) {}
  std::size_t size() const { return detail::size_of(range_); }
  item get(std::size_t i) const { return std::ranges::iter_move(at(i)); }
  /// The element, without moving it out.
  const std::ranges::range_value_t<R>& look(
      std::size_t i) const requires std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> {
    return *at(i);
  }

 private:
  auto at(std::size_t i) const { return detail::at(std::ranges::begin(range_), i); }

  mutable R range_;  // a chain is const while it runs, but its items are moved out
};

/// The items of a view given as an rvalue. It may compute its items, or refer to a range of another
/// owner, so nothing is moved out of it.
template <splittable_range R>
class view_source {
 public:
  using item = std::ranges::range_reference_t<R>;

  explicit view_source(R range) : range_(std::move(range)) {}
  std::size_t size() const { return detail::size_of(range_); }
  item get(std::size_t i) const { return *detail::at(std::ranges::begin(range_), i); }

 private:
  mutable R range_;  // some views can be iterated only if they are not const
};

/// The items of a source that owns them, not moved out: for consumers that need an item several
/// times.
template <plumbing::looking_source Base>
class staying_source {
 public:
  using item = decltype(std::declval<const Base&>().look(0));

  explicit staying_source(Base base) : base_(std::move(base)) {}
  std::size_t size() const { return base_.size(); }
  item get(std::size_t i) const { return base_.look(i); }

 private:
  Base base_;
};

/// Numbers.
template <index T>
class number_source {
 public:
  using item = T;
  explicit number_source(counted<T> numbers) noexcept : numbers_(numbers) {}
  std::size_t size() const noexcept { return numbers_.size(); }
  T get(std::size_t i) const noexcept { return numbers_[i]; }

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

 private:
  counted<T> numbers_;
};

/// The same value, repeated.
template <class T>
class repeat_source {
 public:
  using item = const T&;
  repeat_source(T value, std::size_t n) : value_(std::move(value)), size_(n) {}
  std::size_t size() const noexcept { return size_; }
  item get(std::size_t) const noexcept { return value_; }

 private:
  T value_;
  std::size_t size_;
};

/// A value or none, which is moved out.
template <class T>
class once_source {
 public:
  using item = T&&;
  static constexpr bool gives_away = true;
  explicit once_source(std::optional<T> value) : value_(std::move(value)) {}
  std::size_t size() const noexcept { return value_ ? 1 : 0; }
  item get(std::size_t) const noexcept { return *std::move(value_); }

 private:
  mutable std::optional<T> value_;
};

}  // namespace filch::detail
