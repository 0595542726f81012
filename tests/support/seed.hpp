// The seed of a randomised test: printed, and repeatable.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "filch/detail/base/rng.hpp"

namespace filch::test {

/// The seed of this run: FILCH_TEST_SEED if it is set, otherwise a new one. It is printed when it
/// is first used.
inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    std::uint64_t chosen = 0;
    if (const char* wanted = std::getenv("FILCH_TEST_SEED")) {
      chosen = std::stoull(wanted);
    } else {
      std::random_device entropy;
      chosen = (std::uint64_t{entropy()} << 32) | entropy();
    }
    std::cout << "seed " << chosen << " (FILCH_TEST_SEED=" << chosen << " repeats this run)\n"
              << std::flush;
    return chosen;
  }();
  return value;
}

/// Random generator number `stream` of this run: one for each thread or purpose.
inline detail::rng seeded_rng(std::uint64_t stream) {
  std::uint64_t mixed = seed() ^ (stream * 0x9e3779b97f4a7c15u);
  return detail::rng(detail::splitmix64(mixed));
}

}  // namespace filch::test
