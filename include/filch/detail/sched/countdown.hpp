// How many tasks are left, and a latch for the moment when none is.
#pragma once

#include <cstdint>
#include <memory>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/latch.hpp"

namespace filch::detail {

/// Counts tasks down to none. The waiter holds a share itself, which is larger than any number of
/// tasks. So the count cannot reach zero before the waiter waits, not even if the waiter counted
/// some tasks apart and other threads end those. The waiter waits for the latch and never for the
/// count: the thread that sets the latch touches nothing afterwards, so the countdown may be gone.
///
/// Edge
///   [ended]  end_one(), close() subtract -> the thread that reaches zero   sees what all tasks did
class countdown {
 public:
  /// One more task. Called by the waiter, or by a task that is counted.
  void begin_one() noexcept {
    left_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: the caller holds a share
  }
  /// Takes begin_one() back: that task will not run. The same thread.
  void take_back_one() noexcept {
    left_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: the caller holds a share
  }
  /// One task has ended. Any thread. Afterwards `self` may be gone.
  static void end_one(countdown& self) noexcept {
    if (self.left_.fetch_sub(1, std::memory_order_acq_rel) == 1) latch::set(self.none_);  // [ended]
  }

  /// The waiter gives up its share, and adds what it counted apart: how many more tasks it began
  /// than ended. True if none is left; else none() will be set. Waiter only.
  [[nodiscard]] bool close(std::int64_t more = 0) noexcept {
    const std::uint64_t share = waiters_share - static_cast<std::uint64_t>(more);
    return left_.fetch_sub(share, std::memory_order_acq_rel) == share;  // [ended]
  }
  latch& none() noexcept { return none_; }
  /// After close(): the waiter does not wait any more, and has its share again. False if none is
  /// left: then none() is set, or will be at once. Waiter only.
  [[nodiscard]] bool take_share_back() noexcept {
    std::uint64_t left = left_.load(std::memory_order_relaxed);  // orders nothing: retried below
    while (left != 0)
      if (left_.compare_exchange_weak(left, left + waiters_share,
                                      std::memory_order_relaxed,   // orders nothing: as begin_one()
                                      std::memory_order_relaxed))  // value unused
        return true;
    return false;
  }
  /// After the wait: starts over. Waiter only.
  void reopen() noexcept {
    std::destroy_at(&none_);
    std::construct_at(&none_);
    left_.store(waiters_share, std::memory_order_relaxed);  // no other thread
  }

 private:
  static constexpr std::uint64_t waiters_share = std::uint64_t{1} << 62;

  atomic<std::uint64_t> left_{waiters_share};
  latch none_;
};

}  // namespace filch::detail
