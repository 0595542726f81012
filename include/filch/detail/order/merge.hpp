// Merges two sorted ranges into other memory.
#pragma once

#include "filch/detail/order/rotate_part.hpp"
#include "filch/detail/order/small_sort.hpp"

namespace filch::detail {

/// The first element of the sorted [first, last) that does not come before `value`.
/// std::lower_bound passes a const element, which a comparator need not accept.
template <class It, class T, class Less>
It first_not_before(It first, It last, T& value, Less less) {
  for (auto n = last - first; n > 0;) {
    const auto half = n / 2;
    if (less(first[half], value)) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}

/// The first element of the sorted [first, last) that comes after `value`.
template <class It, class T, class Less>
It first_after(It first, It last, T& value, Less less) {
  return detail::first_not_before(first, last, value, not_after<Less>{less});
}

/// What remains to be merged: [a, a_end) and [b, b_end) go to [out, ...). Of equal elements those
/// of `a` come first. The destructor moves the rest there as it is, so no element is lost if a
/// comparison throws.
template <class T>
struct merge_rest {
  T *a, *a_end, *b, *b_end, *out;
  ~merge_rest() { detail::relocate_all(b, b_end, detail::relocate_all(a, a_end, out)); }
};

/// Merges the sorted [a, a_end) and [b, b_end) into the raw memory at `out`. Both are raw memory
/// afterwards, also if `less` throws. Stable: of equal elements those of `a` come first.
template <class T, class Less>
void merge_to(T* a, T* a_end, T* b, T* b_end, T* out, Less less) {
  merge_rest<T> rest{a, a_end, b, b_end, out};
  if (a == a_end || b == b_end || !less(*b, *(a_end - 1))) return;  // already in order
  if constexpr (cheap_element<T> && std::is_copy_constructible_v<T>) {
    // Merges from both ends at once, as long as neither side can run out. No branch depends on the
    // data.
    for (;;) {
      const auto steps = std::min(rest.a_end - rest.a, rest.b_end - rest.b) / 2;
      if (steps < 8) break;
      T *left = rest.a, *right = rest.b, *to = rest.out;
      T *left_last = rest.a_end - 1, *right_last = rest.b_end - 1;
      T* to_last = to + (rest.a_end - rest.a) + (rest.b_end - rest.b) - 1;
      const T* const middle = to + steps;
      while (to != middle) {
        const bool front_right = less(*right, *left);
        std::construct_at(to++, *detail::pick(front_right, right, left));
        right += static_cast<std::ptrdiff_t>(front_right);
        left += static_cast<std::ptrdiff_t>(!front_right);
        const bool back_left = less(*right_last, *left_last);
        std::construct_at(to_last--, *detail::pick(back_left, left_last, right_last));
        left_last -= static_cast<std::ptrdiff_t>(back_left);
        right_last -= static_cast<std::ptrdiff_t>(!back_left);
      }
      // Not earlier: until here, copies do no harm if `less` throws.
      rest.a = left;
      rest.b = right;
      rest.out = to;
      rest.a_end = left_last + 1;
      rest.b_end = right_last + 1;
    }
  }
  while (rest.a != rest.a_end && rest.b != rest.b_end) {
    if (less(*rest.b, *rest.a))
      detail::relocate(rest.b++, rest.out++);
    else
      detail::relocate(rest.a++, rest.out++);
  }
}

/// merge_to() in parallel, down to parts of `grain` elements.
template <class Fork, class T, class Less>
void merge_in_parallel(const Fork& fork, T* a, T* a_end, T* b, T* b_end, T* out, Less less,
                       std::ptrdiff_t grain) {
  const std::ptrdiff_t na = a_end - a, nb = b_end - b;
  if (na + nb <= grain || na + nb < 4) return detail::merge_to(a, a_end, b, b_end, out, less);
  T *a_middle = a + na / 2, *b_middle = b + nb / 2;
  {
    merge_rest<T> rest{a, a_end, b, b_end, out};  // in case a comparison throws
    if (na >= nb)
      b_middle = detail::first_not_before(b, b_end, *a_middle, less);
    else
      a_middle = detail::first_after(a, a_end, *b_middle, less);
    rest.a = a_end;
    rest.b = b_end;
  }
  T* const out_middle = out + (a_middle - a) + (b_middle - b);
  fork([&] { detail::merge_in_parallel(fork, a, a_middle, b, b_middle, out, less, grain); },
       [&] {
         detail::merge_in_parallel(fork, a_middle, a_end, b_middle, b_end, out_middle, less, grain);
       });
}

/// Merges the sorted [first, middle) and [middle, last) in place, without extra memory, in O(n log
/// n) steps. It rotates the parts that have to be exchanged (SymMerge, by Kim and Kutzner).
/// Stable.
template <class Fork, class It, class Less>
void merge_by_rotating(const Fork& fork, It first, It middle, It last, Less less,
                       std::ptrdiff_t grain) {
  if (first == middle || middle == last || !less(*middle, *(middle - 1))) return;
  const std::ptrdiff_t na = middle - first, nb = last - middle;
  if (na == 1 && nb == 1) return std::ranges::iter_swap(first, middle);
  It cut_a = first, cut_b = middle;
  if (na >= nb) {
    cut_a += na / 2;
    cut_b = detail::first_not_before(middle, last, *cut_a, less);
  } else {
    cut_b += nb / 2;
    cut_a = detail::first_after(first, middle, *cut_b, less);
  }
  detail::rotate_part(cut_a, middle, cut_b);
  const It new_middle = cut_a + (cut_b - middle);
  const auto left = [&] { detail::merge_by_rotating(fork, first, cut_a, new_middle, less, grain); };
  const auto right = [&] { detail::merge_by_rotating(fork, new_middle, cut_b, last, less, grain); };
  if (na + nb > grain) {
    fork(left, right);
  } else {
    left();
    right();
  }
}

}  // namespace filch::detail
