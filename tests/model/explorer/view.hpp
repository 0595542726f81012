// What one thread knows at one moment: the heart of the memory model.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace model {

inline constexpr std::size_t max_threads = 6;      // the scenario's own, and one that sets it up
inline constexpr std::size_t max_locations = 144;  // atomics that one execution touches

/// Everything that happened before a point in one thread.
struct view {
  std::array<std::uint16_t, max_locations> newest{};  ///< per atomic: nothing older may be read
  std::array<std::uint32_t, max_threads> clock{};     ///< per thread: how many of its steps
  std::uint32_t sc = 0;  ///< how far into S, the single order of seq_cst operations

  /// `used` is the number of locations in use.
  void join(const view& other, std::size_t used) noexcept {
    for (std::size_t i = 0; i < used; ++i) newest[i] = std::max(newest[i], other.newest[i]);
    for (std::size_t i = 0; i < max_threads; ++i) clock[i] = std::max(clock[i], other.clock[i]);
    sc = std::max(sc, other.sc);
  }
};

}  // namespace model
