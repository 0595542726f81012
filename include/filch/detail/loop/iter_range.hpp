// A pair of iterators as a range.
#pragma once

#include "filch/detail/loop/range.hpp"

namespace filch::detail {

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
