// How soon a thief may come again.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/cpu_relax.hpp"

namespace filch::detail {

/// Keeps a thief from coming back too soon. Every look into a victim's deque takes a cache line
/// from its owner. If the stolen jobs last for less time than that costs, the thief does better to
/// leave the owner alone. So a thief that is back too soon waits before it looks again, longer each
/// time, but not longer than it takes to wake a thread.
template <class Clock>
class pacing {
 public:
  /// A thief calls this before it looks for something to steal. Returns how many pauses it waited.
  std::uint32_t wait() noexcept {
    if (Clock::now() >= worthwhile_until_) {
      pauses_ = 0;
    } else {
      pauses_ = std::min(2 * pauses_ + 2, most_pauses);
      for (std::uint32_t i = 0; i < pauses_; ++i) cpu_relax();
    }
    return pauses_;
  }

  /// The thief has just stolen `jobs` jobs.
  void took(std::size_t jobs) noexcept {
    worthwhile_until_ = Clock::now() + static_cast<std::int64_t>(jobs) * per_job;
  }

  static constexpr std::chrono::nanoseconds per_job{100};
  static constexpr std::uint32_t most_pauses = 128;

 private:
  typename Clock::time_point worthwhile_until_{};
  std::uint32_t pauses_ = 0;
};

}  // namespace filch::detail
