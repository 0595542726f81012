// Numbers that one thread counts up and any thread may look at.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

/// A count with one writer: no read-modify-write, so it costs what a plain counter costs.
class tally {
 public:
  /// The one writer only.
  void add(std::uint64_t n = 1) noexcept {
    const std::uint64_t before = value_.load(std::memory_order_relaxed);  // own value
    value_.store(before + n, std::memory_order_relaxed);                  // orders nothing: a count
  }
  /// Any thread.
  std::uint64_t read() const noexcept {
    return value_.load(std::memory_order_relaxed);  // orders nothing: a count
  }

 private:
  atomic<std::uint64_t> value_{0};
};

/// What each worker counts, always.
struct worker_tallies {
  tally jobs;            ///< taken from a queue and run
  tally spawned;         ///< put into a queue by this worker
  tally steals_taken;    ///< steals that brought a job
  tally steals_lost;     ///< steals that somebody was faster at
  tally steals_empty;    ///< looks at a deque that had nothing
  tally injector_takes;  ///< jobs taken from the injector
  tally sleeps;          ///< times it went to sleep
  tally wakes;           ///< times it woke somebody
};

}  // namespace filch::detail
