// How a participant steals from the others.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/queue/steal_status.hpp"
#include "filch/detail/sched/found_job.hpp"
#include "filch/detail/sched/pacing.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class worker;

/// Steals for one participant. Owner only, unless said otherwise.
class thief {
 public:
  explicit thief(worker& self) noexcept : self_(self) {}

  /// If the participant that was asked last has answered, takes from that one. Else makes one round
  /// over all other participants, in an order that is drawn anew: a random start, and a random step
  /// that is prime to their number, visit each of them once. If the round finds nothing, a second
  /// round asks owners for their private branches. If `only` is a region, one round looks for jobs
  /// of that region.
  found_job steal(region only) noexcept;

  /// Has the participant that had nothing when asked made a branch public meanwhile?
  bool has_answer() const noexcept;

  /// The index of the participant that was stolen from last; SIZE_MAX: none was. Any thread.
  std::size_t last_victim() const noexcept {
    return last_victim_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }

 private:
  /// Visits all others with `attempt`, until that finds a job.
  template <class Attempt>
  found_job try_all(std::uint32_t start, std::uint32_t stride, Attempt attempt) noexcept;
  bool has_too_few(const worker& victim) const noexcept;
  bool may_take_from(const worker& victim) const noexcept;
  found_job steal_what_is_public(worker& victim) noexcept;
  std::size_t steal_more(worker& victim) noexcept;
  found_job ask_and_steal(worker& victim) noexcept;
  found_job steal_of_region(worker& victim, region only) noexcept;
  found_job taken_from(worker& victim, found_job j, std::size_t count) noexcept;
  void failed(steal_status how) noexcept;

  worker& self_;
  pacing<std::chrono::steady_clock> pacing_;
  worker* asked_victim_ = nullptr;  // it had nothing; what it makes public is for us
  atomic<std::size_t> last_victim_{SIZE_MAX};
};

}  // namespace filch::detail
