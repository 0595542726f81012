// How a participant goes to sleep.
#pragma once

#include <chrono>

#include "filch/detail/sched/borrowed_parker.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class worker;

/// What a thread that runs jobs waits for.
struct wait_goal {
  using clock = std::chrono::steady_clock;
  latch* done = nullptr;  // null: until the pool stops
  clock::time_point deadline = clock::time_point::max();
};

/// The sleep of a participant that has found nothing to do: steps S1 to S5 of
/// src/sched/sleep_and_wake.md.
class idle_sleep {
 public:
  /// Throws `std::bad_alloc`.
  explicit idle_sleep(worker& self) : self_(self) {}

  /// Sleeps until there is work of region `only` (no_region: any work) and a seat, or the goal is
  /// reached. It may return for no reason. True if a publisher woke it. Owner only.
  bool sleep(const wait_goal& goal, region only) noexcept;

  /// Where it sleeps. Any thread.
  parker& where() noexcept { return *parker_; }

 private:
  bool finds_nothing(region only, bool asked) noexcept;
  void park(wait_goal::clock::time_point deadline) noexcept;

  worker& self_;
  borrowed_parker parker_;
};

}  // namespace filch::detail
