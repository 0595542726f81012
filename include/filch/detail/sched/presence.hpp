// What a participant does, as other threads see it.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/participant.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// What a participant does, in which region it sleeps, and whether it is absent: it waits without
/// helping, or in a region. The owner writes, any thread reads.
///
/// Edge
///   [region]  set_sleeps_in() -> sleeps_in()   the reader may look at the call_limit of the region
class presence {
 public:
  activity doing() const noexcept {
    return doing_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }
  void set_doing(activity a) noexcept {
    doing_.store(a, std::memory_order_relaxed);  // orders nothing: a hint
  }

  /// Does the guest take part between its calls, too? Any thread.
  bool stays() const noexcept {
    return stays_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }
  void set_stays(bool yes) noexcept {
    stays_.store(yes, std::memory_order_relaxed);  // orders nothing: a hint
  }

  /// The region in which the participant sleeps, if it does.
  region sleeps_in() const noexcept {
    return sleeps_in_.load(std::memory_order_acquire);  // [region]
  }
  /// Before the sleep is announced.
  void set_sleeps_in(region r) noexcept {
    sleeps_in_.store(r, std::memory_order_release);  // [region]
  }

  /// Absences may lie inside of each other. P1, for jobs below the steal_threshold. Owner only.
  void begin_absence() noexcept { absences_.fetch_add(1, std::memory_order_seq_cst); }
  void end_absence() noexcept { absences_.fetch_sub(1, std::memory_order_seq_cst); }
  /// Owner only.
  bool am_absent() const noexcept {
    return absences_.load(std::memory_order_relaxed) != 0;  // own value
  }
  /// Any thread.
  bool is_absent() const noexcept { return absences_.load(std::memory_order_seq_cst) != 0; }

 private:
  atomic<activity> doing_{activity::absent};
  atomic<bool> stays_{false};
  atomic<std::uint32_t> absences_{0};
  atomic<region> sleeps_in_{no_region};
};

}  // namespace filch::detail
