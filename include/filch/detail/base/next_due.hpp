// The times of something that happens at intervals.
#pragma once

#include <chrono>

namespace filch::detail {

/// The next time after one that was due at `due` and taken at `now`: the next multiple of the
/// interval that lies ahead. Missed times are not made up for, whatever the clock did.
inline std::chrono::steady_clock::time_point next_due(std::chrono::steady_clock::time_point due,
                                                      std::chrono::steady_clock::time_point now,
                                                      std::chrono::nanoseconds interval) noexcept {
  if (now < due) return due;
  const auto missed = (now - due) / interval;
  return due + (missed + 1) * interval;
}

/// A century. A longer interval gives no second time either, and now + interval must not overflow.
inline constexpr std::chrono::hours longest_interval{24 * 365 * 100};

}  // namespace filch::detail
