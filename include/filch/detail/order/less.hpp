// What the sorting kernels require of elements and comparators.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// Combines a comparator and a projection: does the element `a` come before `b`?
///
/// It refers to both, because they may be expensive to copy, and a sort passes its order to many
/// calls.
template <class Comp, class Proj>
class element_order {
 public:
  element_order(Comp& comp, Proj& proj) noexcept : comp_(&comp), proj_(&proj) {}

  template <class A, class B>
  [[gnu::always_inline]] bool operator()(A& a, B& b) const {
    return static_cast<bool>(std::invoke(*comp_, std::invoke(*proj_, a), std::invoke(*proj_, b)));
  }

 private:
  Comp* comp_;
  Proj* proj_;
};

/// Turns `less(b, a)` into "a is not after b", which is what partitioning by "not greater" needs.
template <class Less>
struct not_after {
  Less less;
  template <class A, class B>
  [[gnu::always_inline]] bool operator()(A& a, B& b) const {
    return !less(b, a);
  }
};

/// May elements be copied as bytes, so that copies need no destructor?
template <class T>
inline constexpr bool plain_element =
    std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>&&
        std::is_move_constructible_v<T>&& std::is_move_assignable_v<T>;

/// Is a plain element so cheap to copy that an unnecessary copy is cheaper than a branch that is
/// mispredicted half of the time?
template <class T>
inline constexpr bool cheap_element = plain_element<T> && sizeof(T) <= 32;

/// Can elements be moved elsewhere and back without an exception?
template <class T>
inline constexpr bool steady_element = plain_element<T> ||
                                       (std::is_nothrow_move_constructible_v<T> &&
                                        std::is_nothrow_move_assignable_v<T> &&
                                        std::is_nothrow_destructible_v<T>);

/// An iterator whose reference is a real reference to an element, not a proxy.
template <class It>
concept element_iterator =
    std::random_access_iterator<It> && std::same_as < std::iter_reference_t<It>,
        std::iter_value_t<It>
& > ;

/// A plain pointer if the elements are contiguous, otherwise the iterator. This makes fewer
/// template instances, and avoids debug-mode checks in the inner loops.
template <class It>
[[gnu::always_inline]] inline auto as_plain_iterator(It it) {
  if constexpr (std::contiguous_iterator<It>)
    return std::to_address(it);
  else
    return it;
}

/// Moves `*from` to the raw memory `to` and destroys `*from`.
template <class T>
[[gnu::always_inline]] inline void relocate(T* from, T* to) noexcept {
  std::construct_at(to, std::move(*from));
  std::destroy_at(from);
}

/// The same for [from, from_end). Returns the end of the new elements.
template <class T>
inline T* relocate_all(T* from, T* from_end, T* to) noexcept {
  if constexpr (plain_element<T>) {
    if (from != from_end)
      std::memcpy(static_cast<void*>(to), from,
                  static_cast<std::size_t>(from_end - from) * sizeof(T));
    return to + (from_end - from);
  } else {
    for (; from != from_end; ++from, ++to) detail::relocate(from, to);
    return to;
  }
}

}  // namespace filch::detail
