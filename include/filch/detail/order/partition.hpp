// Chooses a pivot, and divides a range by it.
#pragma once

#include <array>

#include "filch/detail/order/less.hpp"

namespace filch::detail {

/// The median of three elements.
template <class It, class Less>
It median_of_three(It a, It b, It c, Less less) {
  const bool b_after_a = less(*a, *b);
  const bool c_after_a = less(*a, *c);
  if (b_after_a != c_after_a) return a;
  return less(*b, *c) != b_after_a ? c : b;
}

/// The median of three medians, one for each of three parts of `n` elements. It looks at about
/// sqrt(n) elements.
template <class It, class Less>
It pseudo_median(It a, It b, It c, std::ptrdiff_t n, Less less) {
  if (n >= 8) {
    const std::ptrdiff_t eighth = n / 8;
    a = detail::pseudo_median(a, a + eighth * 4, a + eighth * 7, eighth, less);
    b = detail::pseudo_median(b, b + eighth * 4, b + eighth * 7, eighth, less);
    c = detail::pseudo_median(c, c + eighth * 4, c + eighth * 7, eighth, less);
  }
  return detail::median_of_three(a, b, c, less);
}

/// An element near the median. Requires at least eight elements.
template <class It, class Less>
It choose_pivot(It first, It last, Less less) {
  const std::ptrdiff_t eighth = (last - first) / 8;
  return detail::pseudo_median(first, first + eighth * 4, first + eighth * 7, eighth, less);
}

/// Divides [first, last) into elements for which `goes_left(element, pivot)` is true and the
/// others. Returns the begin of the second part. For cheap elements: each is copied twice, and only
/// an addition depends on the answer.
///
/// It goes from left to right, as Lomuto's partition does, but keeps one hole instead of swapping.
/// The first element of the right part moves into the hole, the new element moves to its position,
/// and the position of the new element becomes the hole (Bergdoll and Peters). If `goes_left`
/// throws, the hole is filled, so the range still has all its elements.
template <class It, class T, class GoesLeft>
It partition_by_cycling(It first, It last, T pivot, GoesLeft goes_left) {
  if (first == last) return first;
  It hole = first;
  T in_hand = std::move(*first);
  std::ptrdiff_t left = 0;
  const auto step = [&](It next) __attribute__((always_inline)) {
    const bool goes = goes_left(*next, pivot);
    *hole = std::move(first[left]);
    first[left] = std::move(*next);
    hole = next;
    left += static_cast<std::ptrdiff_t>(goes);
  };
  try {
    It next = first + 1;
    if constexpr (sizeof(T) <= 16) {
      while (last - next >= 4) {
        step(next);
        step(next + 1);
        step(next + 2);
        step(next + 3);
        next += 4;
      }
    }
    for (; next != last; ++next) step(next);
    const bool goes = goes_left(in_hand, pivot);
    *hole = std::move(first[left]);
    first[left] = std::move(in_hand);
    left += static_cast<std::ptrdiff_t>(goes);
  } catch (...) {
    *hole = std::move(in_hand);
    throw;
  }
  return first + left;
}

/// The same for all elements. It first tests a block of elements at either end, notes which are on
/// the wrong side, and then swaps these in pairs (Edelkamp and Weiss). No branch depends on an
/// answer, and no element moves while `goes_left` is called.
template <class It, class T, class GoesLeft>
It partition_in_blocks(It first, It last, T& pivot, GoesLeft goes_left) {
  constexpr std::ptrdiff_t block = 64;
  std::array<unsigned char, block> wrong_left, wrong_right;
  std::size_t left_from = 0, left_to = 0, right_from = 0, right_to = 0;
  while (last - first >= 2 * block) {
    if (left_from == left_to) {
      left_from = left_to = 0;
      for (std::ptrdiff_t i = 0; i < block; ++i) {
        wrong_left[left_to] = static_cast<unsigned char>(i);
        left_to += static_cast<std::size_t>(!goes_left(first[i], pivot));
      }
    }
    if (right_from == right_to) {
      right_from = right_to = 0;
      for (std::ptrdiff_t i = 0; i < block; ++i) {
        wrong_right[right_to] = static_cast<unsigned char>(i);
        right_to += static_cast<std::size_t>(goes_left(last[-1 - i], pivot));
      }
    }
    for (; left_from < left_to && right_from < right_to; ++left_from, ++right_from)
      std::ranges::iter_swap(first + wrong_left[left_from], last - 1 - wrong_right[right_from]);
    if (left_from == left_to) first += block;
    if (right_from == right_to) last -= block;
  }
  // The rest of the range, and of a block, in the simple way.
  for (;;) {
    while (first != last && goes_left(*first, pivot)) ++first;
    do {
      if (first == last) return first;
      --last;
    } while (!goes_left(*last, pivot));
    if (first == last) return first;
    std::ranges::iter_swap(first, last);
    ++first;
  }
}

/// Divides [first, last) by the element at `pivot`, and returns its new position. The elements for
/// which `goes_left(element, *pivot)` is true are before it, all others after it.
template <class It, class GoesLeft>
It partition_around(It first, It last, It pivot, GoesLeft goes_left) {
  using value = std::iter_value_t<It>;
  std::ranges::iter_swap(first, pivot);
  It middle = first;
  if constexpr (cheap_element<value> && std::is_copy_constructible_v<value>)
    middle = detail::partition_by_cycling(first + 1, last, value(*first), goes_left);
  else
    middle = detail::partition_in_blocks(first + 1, last, *first, goes_left);
  --middle;
  std::ranges::iter_swap(first, middle);
  return middle;
}

}  // namespace filch::detail
