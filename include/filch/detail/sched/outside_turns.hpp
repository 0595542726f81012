// When work from outside has its turn among a worker's own jobs.
#pragma once

#include <cstdint>
#include <utility>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

/// Counts jobs and looks, so that no source of work waits for ever: every 61st job comes from
/// outside, every 16th look leaves urgent work out, every 8th look begins with work of low
/// priority. Owner only.
class outside_turns {
 public:
  /// `urgent` is the pool's count of tasks of high priority.
  explicit outside_turns(const atomic<std::uint64_t>& urgent) noexcept : urgent_(urgent) {}

  /// May the next job be another one than the newest of the deque? `jobs` is the number of jobs
  /// run, `arrived` is inbox::arrived_hint().
  bool may_come_first(std::uint64_t jobs, std::uintptr_t arrived) const noexcept {
    if (is_due(jobs)) return true;
    // One test for both: every job pays for it, and usually there is neither.
    return (arrived | urgent_.load(std::memory_order_relaxed)) != 0;  // orders nothing: a hint
  }

  /// Has outside work its turn?
  bool is_due(std::uint64_t jobs) const noexcept { return jobs >= look_at_; }
  /// The next turn comes after 61 more jobs.
  void begin_next(std::uint64_t jobs) noexcept { look_at_ = jobs + between; }
  /// Until begin_next(), every search takes the slow path.
  void always() noexcept { look_at_ = 0; }
  /// The next job does not count.
  void leave_out_one() noexcept { ++look_at_; }

  /// Goes one look on, and says whose turn that is.
  bool urgent_goes_first() noexcept { return ++urgent_looks_ % urgent_rest != 0; }
  bool low_goes_first() noexcept { return ++outside_looks_ % low_turn == 0; }
  bool installed_goes_first() noexcept { return std::exchange(installed_next_, !installed_next_); }
  bool oldest_goes_first() noexcept {
    return outside_in_deque_ && std::exchange(oldest_next_, !oldest_next_);
  }

  /// Were jobs from outside put into the deque since it was last empty?
  void set_outside_in_deque(bool some) noexcept { outside_in_deque_ = some; }

 private:
  static constexpr std::uint64_t between = 61;
  static constexpr std::uint32_t urgent_rest = 16;
  static constexpr std::uint32_t low_turn = 8;

  const atomic<std::uint64_t>& urgent_;
  // The number of jobs run at which the next look at outside work is due. 0 as long as every search
  // has to take the slow path: while jobs of the inbox are left.
  std::uint64_t look_at_ = between;
  std::uint32_t urgent_looks_ = 0;
  std::uint32_t outside_looks_ = 0;
  bool outside_in_deque_ = false;
  bool oldest_next_ = false;
  bool installed_next_ = false;
};

}  // namespace filch::detail
