// Random numbers for choosing victims and waits: small, fast, seedable. Not for secrets.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace filch::detail {

/// Steps `state` and returns the next number (Steele, Lea and Flood's SplitMix64). Every state is a
/// good one, so it turns any seed, 0 and 1 included, into well-mixed bits.
constexpr std::uint64_t splitmix64(std::uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// O'Neill's PCG32 (XSH-RR 64/32): 16 bytes, one multiplication per number, period 2^64. Owner
/// only: every worker has its own. Satisfies std::uniform_random_bit_generator.
class rng {
 public:
  using result_type = std::uint32_t;

  /// Different seeds give different streams, not only different positions in one stream.
  constexpr explicit rng(std::uint64_t seed) noexcept {
    const std::uint64_t start = splitmix64(seed);
    const std::uint64_t stream = splitmix64(seed);
    *this = rng(start, stream);
  }

  /// The reference implementation's pcg32_srandom(start, stream).
  constexpr rng(std::uint64_t start, std::uint64_t stream) noexcept
      : state_(0), increment_((stream << 1) | 1) {
    step();
    state_ += start;
    step();
  }

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }

  constexpr result_type operator()() noexcept {
    const std::uint64_t old = state_;
    step();
    const auto mixed = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    return std::rotr(mixed, static_cast<int>(old >> 59));
  }

  /// A number in [0, n); 0 if `n` is 0. One multiplication, no division (after Lemire).
  ///
  /// It has no rejection step (as Lemire's has): no number's probability is off by more than 2^-32,
  /// which does not matter for the few thousand workers or pauses to choose from.
  constexpr std::uint32_t bounded(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{(*this)()} * n) >> 32);
  }

 private:
  constexpr void step() noexcept { state_ = state_ * 6364136223846793005u + increment_; }

  std::uint64_t state_;
  std::uint64_t increment_;
};

}  // namespace filch::detail
