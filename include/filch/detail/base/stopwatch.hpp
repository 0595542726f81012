// Times that one thread adds up and any thread may read.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

/// A time with one writer, which starts and stops it. It is one word, so that a reader sees a
/// consistent value while it runs, and never counts the same span twice. While it stands, the word
/// is twice the time so far. While it runs, the word is twice the difference of the time so far and
/// the moment of its start, plus one.
class stopwatch {
 public:
  using clock = std::chrono::steady_clock;

  /// Does nothing if it runs already. The one writer only.
  void start(clock::time_point now = clock::now()) noexcept {
    const std::uint64_t w = word_.load(std::memory_order_relaxed);                 // own value
    if (!runs(w)) word_.store(w - 2 * count(now) + 1, std::memory_order_relaxed);  // orders nothing
  }
  /// Does nothing if it stands already. The one writer only.
  void stop(clock::time_point now = clock::now()) noexcept {
    const std::uint64_t w = word_.load(std::memory_order_relaxed);                // own value
    if (runs(w)) word_.store(w + 2 * count(now) - 1, std::memory_order_relaxed);  // orders nothing
  }
  /// Nanoseconds, until `now` if it runs. Any thread.
  std::uint64_t read(clock::time_point now) const noexcept {
    const std::uint64_t w = word_.load(std::memory_order_relaxed);  // orders nothing: a count
    const std::uint64_t twice = runs(w) ? w + 2 * count(now) - 1 : w;
    // Negative if it was started just now, after `now` was read.
    return static_cast<std::uint64_t>(std::max<std::int64_t>(static_cast<std::int64_t>(twice), 0)) /
           2;
  }

 private:
  static bool runs(std::uint64_t word) noexcept { return word % 2 != 0; }
  static std::uint64_t count(clock::time_point t) noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count());
  }

  atomic<std::uint64_t> word_{0};
};

}  // namespace filch::detail
