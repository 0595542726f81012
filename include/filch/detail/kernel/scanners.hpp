// Looks for one item in a part of a range, or counts items, as fast as the processor can compare.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "filch/detail/base/bits_of_flags.hpp"
#include "filch/detail/loop/range.hpp"

namespace filch::detail {

/// An element that costs next to nothing to copy, compare or add.
template <class T>
concept plain_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;

/// The widest items of which many are compared at a time faster than one by one.
#if defined(__x86_64__) && !defined(__AVX2__)
inline constexpr std::size_t widest_in_blocks = 4;
#else
inline constexpr std::size_t widest_in_blocks = 8;
#endif

/// Elements that are equal if their bytes are, and only then. An enumeration may have an operator==
/// of its own.
template <class T>
concept equal_by_bytes = std::has_unique_object_representations_v<T> &&
    (std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::same_as<T, std::byte>);

template <class T>
concept compares_in_blocks = plain_value<T> && sizeof(T) <= widest_in_blocks;

/// The first index of [from, to) for which hit(index), a condition on an Item, holds; `to` if there
/// is none. It is called once for each index at most. A part of 512 and more has cheap items: else
/// it would have been divided. There 32 of them are tested in each round without a branch, which
/// compilers vectorise; so some behind the hit are tested, too. Otherwise a round tests four, as in
/// most implementations of std::find_if.
template <class Item, class Hit>
std::size_t scan(std::size_t from, std::size_t to, Hit&& hit) {
  using value = std::remove_cvref_t<Item>;
  if constexpr (compares_in_blocks<value>) {
    constexpr std::size_t block = 32;
    using answer = answer_of<sizeof(value)>;
    if (to - from >= 16 * block)
      for (; to - from >= block; from += block) {
        std::array<answer, block> hits;
        answer any = 0;
        for (std::size_t k = 0; k != block; ++k) {
          hits[k] = hit(from + k) ? 1 : 0;
          any = static_cast<answer>(any | hits[k]);
        }
        if (any != 0)
          return from +
                 static_cast<std::size_t>(std::find(hits.begin(), hits.end(), 1) - hits.begin());
      }
  }
  for (; to - from >= 4; from += 4) {
    for (std::size_t k = 0; k != 4; ++k)
      if (hit(from + k)) return from + k;
  }
  for (; from != to; ++from)
    if (hit(from)) return from;
  return to;
}

/// Returns for how many indices of [from, to) hit(index), a condition on an Item, holds. Hits on
/// numbers are counted in numbers of the same width, so that the processor counts as many at a time
/// as it compares: up to 128 hits, which a byte can hold. Floating-point numbers are compared in
/// vectors at any width. There g++ makes vectors of a condition, but not of the sum of its results.
template <class Item, class Hit>
std::size_t count_hits(std::size_t from, std::size_t to, Hit&& hit) {
  std::size_t sum = 0;
  using value = std::remove_cvref_t<Item>;
  if constexpr (compares_in_blocks<value> || std::floating_point<value>) {
    using answer = answer_of<sizeof(value)>;
    constexpr std::size_t strip = 128;
    for (; to - from >= strip; from += strip) {
      answer hits = 0;
      for (std::size_t k = 0; k != strip; ++k)
        if constexpr (std::floating_point<value>) {
          if (hit(from + k)) ++hits;
        } else {
          hits = static_cast<answer>(hits + (hit(from + k) ? 1 : 0));
        }
      sum += std::size_t{hits};
    }
  }
  for (; from != to; ++from) sum += hit(from) ? 1 : 0;
  return sum;
}

/// The last index of [from, to) for which hit(index) holds, or `to`.
template <class Hit>
std::size_t scan_back(std::size_t from, std::size_t to, Hit&& hit) {
  for (std::size_t i = to; i != from; --i)
    if (hit(i - 1)) return i - 1;
  return to;
}

/// The first item of [from, to) for which hit(item) holds, or the last one; `to` if there is none.
template <bool Last, std::random_access_iterator I, class Hit>
std::size_t scan_for(const I& first, std::size_t from, std::size_t to, Hit&& hit) {
  if constexpr (Last) {
    I i = detail::at(first, to);
    return detail::scan_back(from, to, [&](std::size_t) { return hit(*--i); });
  } else {
    if constexpr (std::contiguous_iterator<I>)
      return detail::scan<std::iter_value_t<I>>(
          from, to, [p = std::to_address(first), &hit](std::size_t i) { return hit(p[i]); });
    I i = detail::at(first, from);  // one after the other: so a deque is walked block by block
    for (; from != to; ++from, ++i)
      if (hit(*i)) return from;
    return to;
  }
}

/// The first index of [from, to) for which hit(index) holds, or `to`. For cheap conditions that
/// cannot throw and may be evaluated for indices behind the hit: 32 at a time are computed without
/// a branch, which compilers vectorise.
template <class Hit>
std::size_t scan_numbers(std::size_t from, std::size_t to, const Hit& hit) {
  constexpr std::size_t stride = 32;
  for (; to - from >= stride; from += stride) {
    unsigned any = 0;
    for (std::size_t k = 0; k != stride; ++k) any |= static_cast<unsigned>(hit(from + k));
    if (any != 0) break;
  }
  for (; from != to; ++from)
    if (hit(from)) return from;
  return to;
}

/// The first index of [from, to) at which two arrays of numbers differ, or `to`.
template <class T>
std::size_t scan_for_difference(const T* a, const T* b, std::size_t from, std::size_t to) {
  // Mostly there is none, and memcmp() finds that out fastest.
  if constexpr (equal_by_bytes<T>)
    if (std::memcmp(a + from, b + from, (to - from) * sizeof(T)) == 0) return to;
  return detail::scan_numbers(from, to, [a, b](std::size_t i) { return !(a[i] == b[i]); });
}

/// Elements in contiguous memory for which == and < may be called any number of times.
template <class I>
concept plain_items = std::contiguous_iterator<I> && plain_value<std::iter_value_t<I>> &&
    !std::is_volatile_v<std::remove_reference_t<std::iter_reference_t<I>>>;

/// Is comparing such items with a value, by the default operation, a matter of one instruction?
template <class I, class T, class Proj>
concept plain_search = plain_items<I> && std::same_as<Proj, std::identity> &&
    std::same_as<std::remove_cv_t<T>, std::iter_value_t<I>>;

/// The first item of [from, to) whose projection is equal to `value`, or the last one; `to` if
/// there is none.
template <bool Last, std::random_access_iterator I, class T, class Proj>
std::size_t scan_for_value(const I& first, std::size_t from, std::size_t to, const T& value,
                           Proj& proj) {
  if constexpr (plain_search<I, T, Proj> && !Last) {
    const auto* p = std::to_address(first);
    if constexpr (sizeof(T) == 1 && equal_by_bytes<T>) {
      unsigned char byte;
      std::memcpy(&byte, &value, 1);
      const void* hit = std::memchr(p + from, byte, to - from);
      return hit == nullptr ? to : static_cast<std::size_t>(static_cast<const T*>(hit) - p);
    } else {
      return detail::scan_numbers(from, to, [p, v = value](std::size_t i) { return p[i] == v; });
    }
  } else {
    return detail::scan_for<Last>(first, from, to, [&](auto&& item) {
      return std::invoke(proj, static_cast<decltype(item)>(item)) == value;
    });
  }
}

/// How many such items are worth a fork when they are compared.
template <class I, class T, class Proj>
inline constexpr std::size_t least_for_value = plain_search<I, T, Proj> ? cheap_items : 1;

}  // namespace filch::detail
