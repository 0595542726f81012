// A latch that can start something, instead of waking somebody.
#pragma once

#include <cstdint>

#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"

namespace filch::detail {

/// Something that is told when a latch is set.
class follower {
 public:
  follower(const follower&) = delete;
  follower& operator=(const follower&) = delete;

  /// Once for each latch that it follows, by whoever set that, under no lock. It may be gone
  /// afterwards. It cannot fail: whatever it needs was made before it followed.
  virtual void told() noexcept = 0;

 protected:
  follower() = default;
  ~follower() = default;
};

/// A latch that one thread waits for, or that a follower follows once nobody will wait any more.
///
///      unset ------ try_follow() -----> the follower
///        |                                  |
///        +-------------- set() -------------+----> done
///
/// Edges
///   [done]    set() stores done -> a try_follow() that comes too late   sees what came before
///   [follow]  try_follow() stores the follower -> set() loads it        the setter may use it
///
/// A follower is told by set(), or try_follow() says that it is too late: both read-modify-write
/// the one word, so one of them sees the other's value. For whoever sets it the follower costs a
/// look at what the exchange returns anyway.
class followed_latch : public latch {
 public:
  /// From now on `next` waits for the latch, and nobody else does. False if it was set meanwhile:
  /// then nobody is told. Waiter only. If true, `next` may have been told, and be gone.
  [[nodiscard]] bool try_follow(follower& next) noexcept {
    std::uintptr_t from = unset;
    return state_.compare_exchange_strong(from, bits(next), std::memory_order_release,  // [follow]
                                          std::memory_order_acquire);                   // [done]
  }

  /// Sets `self`, and wakes its waiter or tells its follower. Any thread, once. As latch::set().
  static void set(followed_latch& self) noexcept {
    const std::uintptr_t before =
        self.state_.exchange(done, std::memory_order_acq_rel);  // [done] [waiter] [follow]
    if (before == unset) return;
    if ((before & follows) != 0)
      reinterpret_cast<follower*>(before - follows)->told();  // NOLINT(*-int-to-ptr)
    else
      reinterpret_cast<parker*>(before)->call();  // NOLINT(*-int-to-ptr)
  }

 private:
  static constexpr std::uintptr_t follows = 2;  // added to the address of a follower

  static std::uintptr_t bits(follower& next) noexcept {
    static_assert(alignof(follower) > follows && alignof(parker) > follows);
    return reinterpret_cast<std::uintptr_t>(&next) + follows;
  }
};

}  // namespace filch::detail
