// What the sorting kernels ask of elements and comparators.
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

/// A comparator and a projection as one question: does the element `a` come before `b`?
///
/// It refers to both, because they may be costly to copy, and a sort hands its order to many calls.
template <class Comp, class Proj>
class element_order {
 public:
  element_order(Comp& comp, Proj& proj) noexcept : comp_(&comp), proj_(&proj) {}

  template <class A, class B>
  [[gnu::always_inline]] bool operator()(A& a, B& b) const {
    return static_cast<bool>(std::invoke(*comp_, std::invoke(*proj_, a), std::invoke(*proj_, b)));
  }

  Proj& projection() const noexcept { return *proj_; }

 private:
  Comp* comp_;
  Proj* proj_;
};

/// The order in which `b` comes before `a` if `less` says so of `a` and `b`, and the like: the
/// questions that partitioning by "not greater" asks.
template <class Less>
struct not_after {
  Less less;
  template <class A, class B>
  [[gnu::always_inline]] bool operator()(A& a, B& b) const {
    return !less(b, a);
  }
};

/// May elements be copied as bytes, so that a copy needs neither care nor cleaning up?
template <class T>
inline constexpr bool plain_element =
    std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>&&
        std::is_move_constructible_v<T>&& std::is_move_assignable_v<T>;

/// Is a plain element cheap to copy, so that copying it without need beats a branch that is
/// predicted wrongly half of the time?
template <class T>
inline constexpr bool cheap_element = plain_element<T> && sizeof(T) <= 32;

/// Can elements be put somewhere else and back without a chance of failure?
template <class T>
inline constexpr bool steady_element = plain_element<T> ||
                                       (std::is_nothrow_move_constructible_v<T> &&
                                        std::is_nothrow_move_assignable_v<T> &&
                                        std::is_nothrow_destructible_v<T>);

/// An iterator that gives references to elements which really are there; not a proxy.
template <class It>
concept element_iterator =
    std::random_access_iterator<It> && std::same_as < std::iter_reference_t<It>,
        std::iter_value_t<It>
& > ;

/// A plain pointer if the iterator's elements lie side by side, else the iterator: fewer templates,
/// and no checks of a debug mode in the inner loops.
template <class It>
[[gnu::always_inline]] inline auto as_plain_iterator(It it) {
  if constexpr (std::contiguous_iterator<It>)
    return std::to_address(it);
  else
    return it;
}

/// Ends the lifetime of `*from` and begins that of the same value at `to`, which is raw memory.
template <class T>
[[gnu::always_inline]] inline void relocate(T* from, T* to) noexcept {
  std::construct_at(to, std::move(*from));
  std::destroy_at(from);
}

/// The same for [from, from_end); returns where the new ones end.
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
