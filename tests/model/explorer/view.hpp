// What one thread knows at one moment: the core of the memory model.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace model {

inline constexpr std::size_t max_threads = 6;      // the scenario's, and one that sets it up
inline constexpr std::size_t max_locations = 144;  // atomics that one execution uses

/// Everything that happened before a point in one thread. It is copied at nearly every step of
/// every schedule, so only the locations that it knows are copied.
class view {
 public:
  using stamp = std::uint16_t;

  std::array<std::uint32_t, max_threads> clock{};  ///< per thread: how many of its steps
  std::uint32_t sc = 0;  ///< how far into S, the single order of seq_cst operations

  view() noexcept {}  // not `= default`, which would fill newest_
  view(const view& other) noexcept { *this = other; }
  view& operator=(const view& other) noexcept {
    clock = other.clock;
    sc = other.sc;
    known_ = other.known_;
    std::copy_n(other.newest_.begin(), known_, newest_.begin());
    return *this;
  }
  ~view() = default;

  /// No older value than this may be read from the atomic at `location`.
  stamp newest(std::size_t location) const noexcept {
    return location < known_ ? newest_[location] : stamp{0};
  }
  void set_newest(std::size_t location, std::size_t to) noexcept {
    know(location + 1);
    newest_[location] = static_cast<stamp>(to);
  }

  void join(const view& other) noexcept {
    know(other.known_);
    for (std::size_t i = 0; i < other.known_; ++i)
      newest_[i] = std::max(newest_[i], other.newest_[i]);
    for (std::size_t i = 0; i < max_threads; ++i) clock[i] = std::max(clock[i], other.clock[i]);
    sc = std::max(sc, other.sc);
  }

 private:
  void know(std::size_t count) noexcept {
    while (known_ < count) newest_[known_++] = 0;
  }

  std::size_t known_ = 0;  // for all locations from here on, any value may be read
  std::array<stamp, max_locations> newest_;
};

}  // namespace model
