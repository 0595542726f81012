// When a call ends early: at a stop request, or at a deadline.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "filch/errors.hpp"

namespace filch::detail {

/// What options::stop and options::deadline say, for a task that outlives its options.
struct early_end {
  std::stop_token stop = {};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

constexpr bool has_deadline(const auto& o) noexcept {
  return o.deadline != std::chrono::steady_clock::time_point::max();
}
/// `o` is an early_end, or options.
bool can_end_early(const auto& o) noexcept { return o.stop.stop_possible() || has_deadline(o); }
bool deadline_has_passed(const auto& o) noexcept {
  return has_deadline(o) && std::chrono::steady_clock::now() >= o.deadline;
}
bool is_to_end(const auto& o) noexcept { return o.stop.stop_requested() || deadline_has_passed(o); }

/// `what`, for example "a loop", ends early because of `o`.
[[noreturn, gnu::cold]] inline void throw_cancelled(const auto& o, const char* what) {
  throw cancelled(std::string("filch: ") + what +
                  (o.stop.stop_requested()
                       ? " was asked to stop by its options"
                       : " had not ended at the time of its options::deadline") +
                  ", and has skipped what had not started");
}

}  // namespace filch::detail
