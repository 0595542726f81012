// Sixteen flags as sixteen bits.
#pragma once

#include "filch/detail/base/config.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__) && defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace filch::detail {

/// The flag for an item of `Size` bytes: compilers vectorise a loop if both are equally wide.
template <std::size_t Size>
using answer_of = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

/// Packs 16 flags, each 0 or 1 and as wide as a number, into one bit each; the first is the lowest.
/// Vector units have an instruction for this, and no compiler makes it of a loop.
template <class Flag>
[[gnu::always_inline]] inline std::uint64_t bits_of_flags(const Flag* flags) noexcept {
#if defined(__SSE2__) && defined(__x86_64__)
  const auto* const v = reinterpret_cast<const __m128i*>(flags);
  __m128i bytes;
  if constexpr (sizeof(Flag) == 1) {
    bytes = _mm_loadu_si128(v);
  } else if constexpr (sizeof(Flag) == 2) {
    bytes = _mm_packs_epi16(_mm_loadu_si128(v), _mm_loadu_si128(v + 1));
  } else if constexpr (sizeof(Flag) == 4) {
    bytes = _mm_packs_epi16(_mm_packs_epi32(_mm_loadu_si128(v), _mm_loadu_si128(v + 1)),
                            _mm_packs_epi32(_mm_loadu_si128(v + 2), _mm_loadu_si128(v + 3)));
  } else {
    // The upper halves are 0: seen as numbers of 4 bytes, two of every four are flags.
    const auto half = [v](std::size_t i) {
      return _mm_packs_epi32(_mm_loadu_si128(v + i), _mm_loadu_si128(v + i + 1));
    };
    const __m128i low = _mm_packs_epi32(half(0), half(2));
    const __m128i high = _mm_packs_epi32(half(4), half(6));
    bytes = _mm_packs_epi16(low, high);
  }
  return static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 7)));
#else
  if constexpr (sizeof(Flag) == 1 && std::endian::native == std::endian::little) {
    // Eight bytes at a time: the multiplication moves their lowest bits to the highest byte.
    const auto eight = [](const Flag* from) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, from, sizeof bytes);
      return bytes * 0x0102040810204080u >> 56;
    };
    return eight(flags) | eight(flags + 8) << 8;
  }
  std::uint64_t bits = 0;
  for (unsigned k = 0; k != 16; ++k) bits |= std::uint64_t{flags[k]} << k;
  return bits;
#endif
}

}  // namespace filch::detail
