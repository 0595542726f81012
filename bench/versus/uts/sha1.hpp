// SHA-1 (FIPS 180-4) of a message that fits into one block, which is all that UTS needs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace uts {

using digest = std::array<std::uint8_t, 20>;

inline std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

inline void store_big_endian(std::uint32_t word, std::uint8_t* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
}

/// `message`: at most 55 bytes.
inline digest sha1(std::span<const std::uint8_t> message) {
  std::array<std::uint8_t, 64> block{};
  for (std::size_t i = 0; i < message.size(); ++i) block[i] = message[i];
  block[message.size()] = 0x80;
  store_big_endian(static_cast<std::uint32_t>(message.size() * 8), &block[60]);

  std::array<std::uint32_t, 16> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = big_endian(&block[4 * t]);

  constexpr std::array<std::uint32_t, 5> start{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                               0xc3d2e1f0};
  std::uint32_t a = start[0], b = start[1], c = start[2], d = start[3], e = start[4];
  // Five steps give every variable its place back, so none has to be moved.
  const auto rounds = [&](std::size_t from, std::uint32_t k, auto mix) {
    const auto step = [&](std::size_t t, std::uint32_t v, std::uint32_t& x, std::uint32_t y,
                          std::uint32_t z, std::uint32_t& sum) {
      std::uint32_t& word = w[t % 16];
      if (t >= 16) word = std::rotl(w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ word, 1);
      sum += std::rotl(v, 5) + mix(x, y, z) + k + word;
      x = std::rotl(x, 30);
    };
#pragma GCC unroll 4
    for (std::size_t t = from; t < from + 20; t += 5) {
      step(t, a, b, c, d, e);
      step(t + 1, e, a, b, c, d);
      step(t + 2, d, e, a, b, c);
      step(t + 3, c, d, e, a, b);
      step(t + 4, b, c, d, e, a);
    }
  };
  const auto parity = [](auto x, auto y, auto z) { return x ^ y ^ z; };
  rounds(0, 0x5a827999, [](auto x, auto y, auto z) { return z ^ (x & (y ^ z)); });
  rounds(20, 0x6ed9eba1, parity);
  rounds(40, 0x8f1bbcdc, [](auto x, auto y, auto z) { return (x & y) | (z & (x | y)); });
  rounds(60, 0xca62c1d6, parity);

  digest result{};
  const std::array<std::uint32_t, 5> sum{a + start[0], b + start[1], c + start[2], d + start[3],
                                         e + start[4]};
  for (std::size_t i = 0; i < 5; ++i) store_big_endian(sum[i], &result[4 * i]);
  return result;
}

}  // namespace uts
