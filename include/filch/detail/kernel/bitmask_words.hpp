// A bitmask as words: testing items, and going over those that are selected.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "filch/detail/base/bits_of_flags.hpp"
#include "filch/detail/base/to_size.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// How many bits are set. It avoids std::popcount(), which is a call into the compiler's library if
/// the processor may lack the instruction.
inline std::size_t bits_in(std::uint64_t word) noexcept {
#if defined(__x86_64__) && !defined(__POPCNT__)
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return to_size(word * 0x0101010101010101u >> 56);
#else
  return static_cast<std::size_t>(std::popcount(word));
#endif
}

/// How many words the bits of `n` items need.
constexpr std::size_t words_for(std::size_t n) noexcept { return n / 64 + (n % 64 != 0 ? 1 : 0); }

/// The number of words that always cover at least `grain` items, even if the last word has a single
/// one.
inline std::size_t grain_in_words(std::size_t grain) noexcept {
  return grain <= 1 ? grain : (grain - 2) / 64 + 2;
}

/// Converts the options of a loop over `n` items to those of a loop over their words. `o` outlives
/// them.
inline options in_words(const options& o, std::size_t n) {
  options of_words = o;
  of_words.grain = grain_in_words(o.grain);
  if (o.progress)
    of_words.progress = [&o, n](std::size_t done, std::size_t) {
      o.progress(std::min(n, 64 * done), n);
    };
  return of_words;
}

/// The answers are first as wide as the elements, then bytes: x % 2 == 0 becomes ~x & 1, which g++
/// 12 vectorises only if it stays as wide as x. They are collected in local arrays because
/// `answers` might alias the elements.
template <std::size_t Count, class I, class Test>
void ask_many(const I& i, unsigned char* answers, Test& test) {
  std::array<answer_of<sizeof(std::iter_value_t<I>)>, Count> wide;
  for (std::size_t k = 0; k != Count; ++k) wide[k] = test(detail::at(i, k)) ? 1 : 0;
  std::array<unsigned char, Count> narrow;
  for (std::size_t k = 0; k != Count; ++k) narrow[k] = static_cast<unsigned char>(wide[k]);
  std::memcpy(answers, narrow.data(), Count);
}

/// Tests `count` items and writes one byte for each, in loops that vectorise.
template <class I, class Test>
void ask_items(I i, std::size_t count, unsigned char* answers, Test& test) {
  if constexpr (std::contiguous_iterator<I> && std::is_arithmetic_v<std::iter_value_t<I>>) {
    for (; count >= 64; count -= 64, i += 64, answers += 64) detail::ask_many<64>(i, answers, test);
    for (; count >= 8; count -= 8, i += 8, answers += 8) detail::ask_many<8>(i, answers, test);
  }
  for (; count != 0; --count, ++i) *answers++ = test(i) ? 1 : 0;
}

/// Packs `count` answers, at most 64, into bits. Up to 15 bytes behind them are read, and must be
/// 0.
inline std::uint64_t packed_answers(const unsigned char* answers, std::size_t count) noexcept {
  std::uint64_t word = 0;
#pragma GCC unroll 4
  for (std::size_t k = 0; k != 64; k += 16) {
    if (k >= count) break;
    word |= bits_of_flags(answers + k) << k;
  }
  return word;
}

/// Calls test(iterator) for `n` items, writes their bits from `words` on, and returns how many are
/// selected.
template <class I, class Test>
std::size_t ask_words(const I& first, std::size_t n, std::uint64_t* words, Test& test) {
  std::array<unsigned char, 64> answers;
  std::size_t selected = 0;
  for (std::size_t i = 0; i < n; i += 64) {
    const std::size_t count = std::min<std::size_t>(n - i, 64);
    if (count != 64) answers.fill(0);  // the last word
    detail::ask_items(detail::at(first, i), count, answers.data(), test);
    const std::uint64_t word = packed_answers(answers.data(), count);
    *words++ = word;
    selected += bits_in(word);
  }
  return selected;
}

/// The bits of the items of a word that are selected (or not). `left` items remain, from this word
/// to the end.
template <bool Selected>
std::uint64_t bits_of(std::uint64_t word, std::size_t left) noexcept {
  if constexpr (Selected) return word;
  return left >= 64 ? ~word : ~word & (~std::uint64_t{0} >> (64 - left));
}

/// Calls f(iterator) for those of `n` items that are selected (or, if `Selected` is false, not
/// selected), in order. The bits start at a word boundary.
template <bool Selected, std::random_access_iterator I, class F>
void for_each_selected(const std::uint64_t* words, std::size_t n, const I& first, F&& f) {
  for (std::size_t i = 0; i < n; i += 64) {
    const I base = detail::at(first, i);
    std::uint64_t bits = bits_of<Selected>(*words++, n - i);
    if (bits == ~std::uint64_t{0}) {
      for (std::size_t k = 0; k != 64; ++k) f(detail::at(base, k));
      continue;
    }
    for (; bits != 0; bits &= bits - 1)
      f(detail::at(base, static_cast<std::size_t>(std::countr_zero(bits))));
  }
}

/// Small trivially copyable elements in contiguous memory, copied to contiguous memory of the same
/// type. Copying them needs no branch for each element.
template <class I, class O>
inline constexpr bool copies_bytes =
    std::contiguous_iterator<I>&& std::contiguous_iterator<O>&&
        std::is_same_v<std::iter_reference_t<O>, std::iter_value_t<I>&>&&
            std::is_trivially_copyable_v<std::iter_value_t<I>>&& std::is_copy_constructible_v<
                std::iter_value_t<I>>&& std::is_copy_assignable_v<std::iter_value_t<I>> &&
    sizeof(std::iter_value_t<I>) <= 16;

/// If at least this many items of a word are selected, writing all of them is faster than going
/// from bit to bit.
inline constexpr std::ptrdiff_t worth_writing_all = 12;

/// Copies elements for which an extra assignment does no harm and costs less than a branch that
/// cannot be predicted. It writes all items of a word, each over the one before it if that was not
/// to be copied. Later words overwrite what remains at the end. Where no later word does, it stops
/// at the last item to be copied, because the memory behind it belongs to other code.
template <bool Selected, class T>
void copy_selected_bytes(const std::uint64_t* words, std::size_t n, const T* base, T* to,
                         std::size_t count) {
  const T* const end = to + count;
  for (; to != end; ++words, base += 64, n -= 64) {
    std::uint64_t bits = bits_of<Selected>(*words, n);
    const auto selected = static_cast<std::ptrdiff_t>(bits_in(bits));
    if (bits == ~std::uint64_t{0}) {
      for (std::size_t k = 0; k != 64; ++k) to[k] = base[k];
      to += 64;
    } else if (selected < worth_writing_all) {
      for (; bits != 0; bits &= bits - 1) *to++ = base[std::countr_zero(bits)];
    } else {
      std::size_t k = 0;
      const auto items = end - to > selected ? 64 : to_size(std::bit_width(bits));
      for (; k + 8 <= items; k += 8, bits >>= 8)
#pragma GCC unroll 8
        for (std::size_t eighth = 0; eighth != 8; ++eighth) {
          *to = base[k + eighth];
          to += bits >> eighth & 1;
        }
      for (; k != items; ++k, bits >>= 1) {
        *to = base[k];
        to += bits & 1;
      }
    }
  }
}

/// Copies those of `n` items that are selected (or not), `count` in all, to the range that begins
/// at `out`, in order. `out` is separate memory, or it lies in the same range and no item is
/// overwritten before it has been copied. Returns the end of the copies.
template <bool Selected, std::random_access_iterator I, std::random_access_iterator O>
O copy_selected(const std::uint64_t* words, std::size_t n, const I& first, O out,
                std::size_t count) {
  if constexpr (copies_bytes<I, O>) {
    detail::copy_selected_bytes<Selected>(words, n, std::to_address(first), std::to_address(out),
                                          count);
    return detail::at(out, count);
  } else {
    detail::for_each_selected<Selected>(words, n, first, [&](const I& i) {
      *out = *i;
      ++out;
    });
    return out;
  }
}

}  // namespace filch::detail
