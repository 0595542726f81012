// A one-shot flag: one thread waits for it, any thread sets it.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

class parker;

/// The state of a wait: has the event happened, and which thread must be woken?
///
///              try_sleep
///      unset <-----------> the sleeper's parker
///        |      cancel_sleep       |
///        +----- set() --------+------> done        (final)
///
/// Edges
///   [done]    set() stores done -> probe() loads done       what came before set() is seen after
///   [waiter]  try_sleep() stores a parker -> set() loads it  the setter may use that parker
///
/// No wake-up is lost: try_sleep() and set() both read-modify-write `state_`, so one of them sees
/// the other's value. That needs no further order, only that there is a single variable.
class latch {
 public:
  /// Has the latch been set? Any thread.
  bool probe() const noexcept { return state_.load(std::memory_order_acquire) == done; }  // [done]

  /// The waiter is about to sleep on `sleeper`. False if the latch was set meanwhile: do not sleep.
  /// Waiter only.
  bool try_sleep(parker& sleeper) noexcept { return move(unset, bits(sleeper)); }

  /// The waiter woke, perhaps for another reason, and looks for work again. Waiter only.
  void cancel_sleep(parker& sleeper) noexcept { (void)move(bits(sleeper), unset); }

  /// The latch was set and the waiter has seen it: it can be used again. Waiter only.
  void reset() noexcept {
    state_.store(unset, std::memory_order_relaxed);  // no other thread: the setter is done with it
  }

  /// Sets `self` and wakes its waiter if that sleeps. Any thread, once.
  ///
  /// The waiter may see the latch, return, and pop the stack frame that `self` lies in before this
  /// returns. So this is not a member function, and after the exchange it uses only the parker,
  /// which is never freed. src/sched/latches.md says more.
  static void set(latch& self) noexcept {
    const std::uintptr_t before =
        self.state_.exchange(done, std::memory_order_acq_rel);  // [done] [waiter]
    if (before != unset) unpark(before);
  }

 protected:  // followed_latch knows one more state
  static constexpr std::uintptr_t unset = 0;
  static constexpr std::uintptr_t done = 1;  // no parker has this address

  /// Unparks the parker at this address.
  [[gnu::cold]] static void unpark(std::uintptr_t sleeper) noexcept;

  atomic<std::uintptr_t> state_{unset};

 private:
  static std::uintptr_t bits(parker& sleeper) noexcept {
    return reinterpret_cast<std::uintptr_t>(&sleeper);
  }
  bool move(std::uintptr_t from, std::uintptr_t to) noexcept {
    return state_.compare_exchange_strong(from, to, std::memory_order_release,  // [waiter]
                                          std::memory_order_relaxed);           // value unused
  }
};

}  // namespace filch::detail
