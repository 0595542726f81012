// FILCH_WATCHDOG: prints a dump of a pool whose work makes no progress.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace filch::detail {

class registry;

inline constexpr std::chrono::milliseconds shortest_watchdog{10};
inline constexpr std::chrono::hours longest_watchdog{24};

/// The time that a value of FILCH_WATCHDOG stands for: a number and a unit (ms, s or m), as in 10s.
/// Throws a `usage_error` that says what is allowed.
std::chrono::nanoseconds watchdog_limit(std::string_view value);

/// What one look at a pool found.
struct pool_look {
  std::uint32_t pool = 0;        ///< registry::id()
  std::uint64_t progress = 0;    ///< another number than in the look before: progress
  bool ready = false;            ///< a thread of the pool runs, or waits for a processor
  bool unfinished = false;       ///< work was accepted and has not ended
  bool waits_for_tasks = false;  ///< every thread of the pool sleeps, so it waits for tasks
};

/// Finds out which pools stand still, from looks at intervals. One thread only.
class stall_finder {
 public:
  explicit stall_finder(std::chrono::nanoseconds limit) noexcept : limit_(limit) {}

  /// Looks at all live pools, `passed` after the look before. Returns the indices in `all` of those
  /// that have stood still for the limit and were not returned since their last progress. A pool
  /// whose threads wait for tasks may wait for another pool: it is returned only if no pool with
  /// unfinished work makes progress. Throws `std::bad_alloc`.
  std::vector<std::size_t> look(const std::vector<pool_look>& all, std::chrono::nanoseconds passed);

 private:
  struct known {
    pool_look last;
    std::chrono::nanoseconds stood{0};
    bool reported = false;
  };

  std::chrono::nanoseconds limit_;
  std::vector<known> known_;  // the pools of the look before
};

/// Looks at `home`. Any thread. Throws `std::bad_alloc`.
pool_look progress_of(const registry& home);

/// Starts the watchdog, one for the process. Throws `std::system_error`, `std::bad_alloc`.
void start_watchdog(std::chrono::nanoseconds limit);
/// Ends it. Does nothing if it was not started.
void stop_watchdog() noexcept;
/// In the child of a fork, where its thread does not exist.
void forget_watchdog() noexcept;

}  // namespace filch::detail
