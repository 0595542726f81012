// Waiting a little before trying again: longer each time, and not in step with other threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/base/rng.hpp"

namespace filch::detail {

/// In steps of cpu_relax(), some tens of nanoseconds each. 0 counts as 1, and `first` as at most
/// `cap`. By default the longest wait takes about as long as waking a thread: a thread that would
/// wait longer should sleep.
struct backoff_params {
  std::uint32_t first = 4;
  std::uint32_t cap = 256;
};

/// Randomised exponential back-off. Each wait is drawn uniformly from 1 to a limit; the limit
/// starts at `first` and doubles with every draw up to `cap`. One thread only.
///
/// The waits are random: thieves that collided would otherwise wait equally long and collide again.
/// So every worker needs a seed of its own.
class backoff {
 public:
  /// Draws from `random`, which must live as long and may be used for other things in between.
  explicit constexpr backoff(rng& random, backoff_params params = {}) noexcept
      : random_(&random),
        cap_(std::max(params.cap, 1u)),
        first_(std::clamp(params.first, 1u, cap_)),
        limit_(first_) {}

  /// Draws the next wait, in steps, without waiting.
  constexpr std::uint32_t next() noexcept {
    const std::uint32_t drawn = 1 + random_->bounded(limit_);
    limit_ = limit_ > cap_ / 2 ? cap_ : 2 * limit_;  // cap_ / 2: doubling must not overflow
    return drawn;
  }

  /// Draws the next wait, and waits; ends early when `over`, which is called in each step, says so.
  template <class Over>
  void pause(Over over) noexcept {
    for (std::uint32_t steps = next(); steps != 0 && !over(); --steps) cpu_relax();
  }
  void pause() noexcept {
    pause([] { return false; });
  }

  /// Called after a success: the next wait is a short one again.
  constexpr void reset() noexcept { limit_ = first_; }

 private:
  rng* random_;
  std::uint32_t cap_;
  std::uint32_t first_;
  std::uint32_t limit_;
};

}  // namespace filch::detail
