// SHA-1 (FIPS 180-4) of a message of whole words that fits into one block: UTS needs no more.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace uts {

/// The bytes of a digest are those of the words, highest first.
using digest = std::array<std::uint32_t, 5>;

/// One block while it is hashed.
class sha1_block {
 public:
  explicit sha1_block(const std::array<std::uint32_t, 16>& words) : w_(words) {}

  digest hash() {
    constexpr digest start{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    v_ = start;
    steps(std::make_index_sequence<80>());
    for (std::size_t i = 0; i < 5; ++i) v_[i] += start[i];
    return v_;
  }

 private:
  template <std::size_t... T>
  void steps(std::index_sequence<T...>) {
    (step<T>(), ...);
  }

  /// After five steps every variable is in its old place, so none has to be moved.
  template <std::size_t T>
  void step() {
    const std::uint32_t a = v_[(80 - T) % 5];
    std::uint32_t& b = v_[(81 - T) % 5];
    const std::uint32_t c = v_[(82 - T) % 5];
    const std::uint32_t d = v_[(83 - T) % 5];
    std::uint32_t& e = v_[(84 - T) % 5];
    std::uint32_t& word = w_[T % 16];
    if constexpr (T >= 16)
      word = std::rotl(w_[(T + 13) % 16] ^ w_[(T + 8) % 16] ^ w_[(T + 2) % 16] ^ word, 1);
    e += std::rotl(a, 5) + word;
    if constexpr (T < 20)
      e += 0x5a827999 + (d ^ (b & (c ^ d)));
    else if constexpr (T < 40)
      e += 0x6ed9eba1 + (b ^ c ^ d);
    else if constexpr (T < 60)
      e += 0x8f1bbcdc + ((b & c) | (d & (b | c)));
    else
      e += 0xca62c1d6 + (b ^ c ^ d);
    b = std::rotl(b, 30);
  }

  std::array<std::uint32_t, 16> w_;
  digest v_{};
};

/// Returns the digest of `Words` words, at most 13.
template <std::size_t Words>
digest sha1(const std::array<std::uint32_t, Words>& message) {
  static_assert(Words <= 13);
  std::array<std::uint32_t, 16> block{};
  for (std::size_t i = 0; i < Words; ++i) block[i] = message[i];
  block[Words] = 0x80000000;
  block[15] = Words * 32;
  return sha1_block(block).hash();
}

}  // namespace uts
