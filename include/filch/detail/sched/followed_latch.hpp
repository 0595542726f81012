// A latch that can start a task, instead of waking a thread.
#pragma once

#include <cstdint>

#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/latch.hpp"

namespace filch::detail {

/// An object that is notified when a latch is set.
class follower {
 public:
  follower(const follower&) = delete;
  follower& operator=(const follower&) = delete;

  /// The setter calls this once for each latch that the follower follows, under no lock. The
  /// follower may be gone afterwards. It cannot fail: all that it needs was made before it
  /// followed. `where` is the pool in which it runs; null means the pool of the setter.
  virtual void notified(const chosen_pool* where) noexcept = 0;

 protected:
  follower() = default;
  ~follower() = default;
};

/// A latch that one thread waits for, or that a follower follows once no thread will wait any more.
///
///      unset ------ try_follow() -----> the follower
///        |                                  |
///        +-------------- set() -------------+----> done
///
/// Edges
///   [done]    set() stores done -> a try_follow() that comes too late   sees what came before
///   [follow]  try_follow() stores the follower -> set() loads it        the setter may use it
///
/// Either set() notifies the follower, or try_follow() returns that it is too late: both
/// read-modify-write the one word, so one of them sees the other's value. A follower costs the
/// setter one look at a value that the exchange returns anyway.
class followed_latch : public latch {
 public:
  /// From now on `next` waits for the latch, and no thread does. False if the latch was set
  /// meanwhile: then `next` is not notified. Waiter only. If true, `next` may have been notified
  /// already, and be gone.
  [[nodiscard]] bool try_follow(follower& next) noexcept {
    std::uintptr_t from = unset;
    return state_.compare_exchange_strong(from, bits(next), std::memory_order_release,  // [follow]
                                          std::memory_order_acquire);                   // [done]
  }

  /// Sets `self`, and wakes its waiter or notifies its follower, which gets `where`. Any thread,
  /// once. See latch::set().
  static void set(followed_latch& self, const chosen_pool* where = nullptr) noexcept {
    const std::uintptr_t before =
        self.state_.exchange(done, std::memory_order_acq_rel);  // [done] [waiter] [follow]
    if (before == unset) return;
    if ((before & follows) != 0)
      reinterpret_cast<follower*>(before - follows)->notified(where);  // NOLINT(*-int-to-ptr)
    else
      unpark(before);
  }

 private:
  static constexpr std::uintptr_t follows = 2;  // added to the address of a follower

  static std::uintptr_t bits(follower& next) noexcept {
    static_assert(alignof(follower) > follows);  // and a parker has a cache line of its own
    return reinterpret_cast<std::uintptr_t>(&next) + follows;
  }
};

}  // namespace filch::detail
