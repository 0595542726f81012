// How many threads of a pool sleep: what a push looks at, and what a sleeper announces.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/parker.hpp"

namespace filch::detail {

/// Counts the threads that sleep or are about to. The proof in src/sched/sleep_and_wake.md calls
/// the steps by these names:
///
///     publisher: has work         sleeper: has none
///     P1 publish it               S1 announce: parker, count
///     P2 light fence              S2 heavy fence
///     P3 load the count           S3 look at every source of work again
///     P4 claim one, unpark it     S4 sleep
///                                 S5 wake up, settle the count
class sleepers {
 public:
  /// P2, P3: is there a sleeper to wake for the work just published? Any thread. One load of a line
  /// that changes only when a thread goes to sleep or is woken. Without membarrier the count is
  /// never 0, so the load itself tells a caller that needs more than this barrier.
  bool any() const noexcept {
    asymmetric_light_fence();  // which is P2, if there is membarrier
    const std::uint32_t n = count_.load(std::memory_order_relaxed);  // P3 ordered by the fences
    if (n == 0) [[likely]]
      return false;
    return nobody_ == 0 || any_with_full_fences();
  }

  /// S1, S2: after this, look at every source of work again. `tell` notifies publishers that look
  /// elsewhere before they look at the count: owners of branches. It sees what such a publisher
  /// wrote there before a look at the count that missed this sleeper (split_stack's [ask]). Sleeper
  /// only.
  template <class Tell>
  void announce(parker& sleeper, Tell tell) noexcept {
    sleeper.announce();                              // S1
    count_.fetch_add(1, std::memory_order_relaxed);  // S1 ordered by the fences
    full_fence();                                    // S1 [ask]
    tell();                                          // S1
    heavy_fence();                                   // S2
  }

  /// P4: true if `sleeper` was asleep; then this has unparked it. Any thread.
  bool wake(parker& sleeper) noexcept {
    if (!sleeper.claim()) return false;
    count_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: the claim has decided
    sleeper.unpark_claimed();
    return true;
  }

  /// S5: ends what announce() began. Sleeper only.
  void retract(parker& sleeper) noexcept {
    if (sleeper.retract())
      count_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: a count
  }

  /// A guess. Any thread.
  std::uint32_t count_hint() const noexcept {
    return count_.load(std::memory_order_relaxed) - nobody_;  // orders nothing: a hint
  }

 private:
  [[gnu::noinline]] bool any_with_full_fences() const noexcept {
    light_fence();                                             // P2
    return count_.load(std::memory_order_relaxed) != nobody_;  // P3 ordered by the fences
  }

  // The count while no thread sleeps. Without membarrier it is far from 0, on both sides: the count
  // may be too low for a moment, if a waker claims a parker before its sleeper has counted itself.
  alignas(no_sharing_size) const std::uint32_t nobody_ = asymmetric_fences_available()
                                                             ? 0
                                                             : std::uint32_t{1} << 31;
  atomic<std::uint32_t> count_{nobody_};
};

}  // namespace filch::detail
