// subrange: a part of a range, as algorithms return it.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>

namespace filch {

/// The elements from begin() up to end(). It is like std::ranges::subrange, which not every
/// compiler that filch supports can use. It owns nothing, and consists of two iterators.
///
///     const auto [first, last] = filch::remove_if(v, is_old);
///     v.erase(first, last);
template <std::random_access_iterator I>
class subrange {
 public:
  constexpr subrange() = default;
  constexpr subrange(I first, I last) : first_(first), last_(last) {}

  constexpr I begin() const { return first_; }
  constexpr I end() const { return last_; }
  constexpr bool empty() const { return first_ == last_; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  /// Returns the element with index `i`. There must be one.
  constexpr decltype(auto) operator[](std::size_t i) const {
    return first_[static_cast<std::iter_difference_t<I>>(i)];
  }
  constexpr decltype(auto) front() const { return *first_; }
  constexpr decltype(auto) back() const { return *(last_ - 1); }

 private:
  I first_{};
  I last_{};
};

/// For structured bindings: returns the beginning or the end.
template <std::size_t Which, class I>
requires(Which < 2) constexpr I get(const subrange<I>& range) {
  if constexpr (Which == 0) return range.begin();
  return range.end();
}

namespace detail {

/// A subrange of `R`; std::ranges::dangling if `R` does not outlive the call.
template <class R>
using borrowed_part =
    std::conditional_t<std::ranges::borrowed_range<R>, subrange<std::ranges::iterator_t<R>>,
                       std::ranges::dangling>;

}  // namespace detail

}  // namespace filch

template <class I>
struct std::tuple_size<filch::subrange<I>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t Which, class I>
struct std::tuple_element<Which, filch::subrange<I>> {
  static_assert(Which < 2);
  using type = I;
};

template <class I>
inline constexpr bool std::ranges::enable_borrowed_range<filch::subrange<I>> = true;
