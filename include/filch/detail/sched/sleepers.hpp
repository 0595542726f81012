// How many threads of a pool sleep, and how many more may run: what a push looks at, and what a
// sleeper announces.
#pragma once

#include <cstddef>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/parker.hpp"

namespace filch::detail {

/// Counts the threads that sleep or are about to, and the free seats. The proof in
/// src/sched/sleep_and_wake.md calls the steps by these names:
///
///     publisher: has work         sleeper: has none
///     P1 publish it               S1 announce: count, parker
///     P2 light fence              S2 heavy fence
///     P3 load the count           S3 look at every source of work again
///     P4 claim one, unpark it     S4 sleep
///                                 S5 wake up, settle the count
///
/// A pool has as many seats as it has workers. Every participant that is awake has one: a worker
/// gives its seat back when it goes to sleep, and gets one when it is woken. A guest takes a seat
/// whether or not one is free. So the number of free seats may fall below zero; then the next
/// worker that looks for work goes to sleep. While no seat is free, no sleeper is woken for work.
/// A publisher that would have woken one leaves a note, and the thread that makes the first seat
/// free then looks for work that waits (src/sched/guests.md).
///
/// Edges
///   [seat]  a worker shows that it runs a job of a call, then loads word_ <-> a thread of the call
///           takes a seat, then looks at what the others do   with a light and a heavy fence in
///           between, so that one of them sees the other, and waits for a seat
///   [note]  a publisher stores noted_, then loads word_ <-> give_seats_back() changes word_, then
///           loads noted_   with a full fence in between, so that one sees the other, and what the
///           other has published. noted_ is changed by read-modify-writes only, so that the thread
///           that clears it sees what every publisher did whose note it clears
class sleepers {
 public:
  explicit sleepers(std::size_t seats) noexcept : word_(none_ + seats * one_seat) {}

  /// P2, P3: is there a sleeper to wake for the work just published, and a seat for it? Any thread.
  /// One load of a line that changes only when a thread goes to sleep or is woken, and when a guest
  /// comes or goes. Without membarrier the count is never 0, so the load itself tells a caller that
  /// needs more than this barrier.
  bool any() const noexcept {
    asymmetric_light_fence();  // which is P2, if there is membarrier
    const std::uint64_t n = word_.load(std::memory_order_relaxed);  // P3 ordered by the fences
    if (count_of(n) == 0) [[likely]]
      return false;
    return none_ == 0 ? free_of(n) > 0 : any_with_full_fences(false);
  }
  /// The same, but also true if there is a sleeper and no seat: then the caller calls
  /// may_wake_for_others(). For a part of a guest's call it is any(): when the guest leaves, that
  /// work has ended.
  bool any_to_notify(bool of_call) const noexcept {
    asymmetric_light_fence();  // which is P2, if there is membarrier
    const std::uint64_t n = word_.load(std::memory_order_relaxed);  // P3 ordered by the fences
    if (count_of(n) == 0) [[likely]]
      return false;
    return none_ == 0 ? !of_call || free_of(n) > 0 : any_with_full_fences(!of_call);
  }
  /// Is there a seat for a sleeper? If not, this leaves a note. Any thread, after it has published
  /// work.
  bool may_wake_for_others() noexcept {
    if (free_seats() > 0) return true;
    noted_.exchange(1, std::memory_order_release);  // [note]
    full_fence();                                   // [note]
    return free_seats() > 0;
  }

  /// S1, S2: after this, look at every source of work again. `tell` notifies publishers that look
  /// elsewhere before they look at the count: owners of branches. It sees what such a publisher
  /// wrote there before a look at the count that missed this sleeper (split_stack's [ask]). Sleeper
  /// only.
  template <class Tell>
  void announce(parker& sleeper, Tell tell) noexcept {
    word_.fetch_add(one_sleeper + one_seat, std::memory_order_relaxed);  // S1 ordered by the fences
    sleeper.announce();                                                  // S1
    full_fence();                                                        // S1 [ask]
    tell();                                                              // S1
    heavy_fence();                                                       // S2
  }

  /// P4: true if `sleeper` was asleep; then this has unparked it. Any thread.
  bool wake(parker& sleeper) noexcept {
    if (!sleeper.claim()) return false;
    word_.fetch_sub(one_sleeper + one_seat,
                    std::memory_order_relaxed);  // orders nothing: the claim has decided
    sleeper.unpark_claimed();
    return true;
  }

  /// S5: ends what announce() began. False if a waker has done so. Sleeper only.
  bool retract(parker& sleeper) noexcept {
    if (!sleeper.retract()) return false;
    word_.fetch_sub(one_sleeper + one_seat, std::memory_order_relaxed);  // orders nothing: a count
    return true;
  }

  /// Participants that do not sleep here take `count` seats: a guest that comes, a thread that
  /// begins, a worker that goes on after a block. Any thread.
  void take_seats(std::uint32_t count) noexcept {
    word_.fetch_sub(count * one_seat, std::memory_order_relaxed);  // ordered by visit
  }
  /// The calling thread of the pool has shown that it runs a job of a call. Is one thread more
  /// awake than there are seats? If not, a thread that takes a seat later sees what this one has
  /// shown.
  bool too_many_for_job() const noexcept {
    light_fence();  // [seat]
    return free_seats() < 0;
  }
  /// The calling thread has a seat, and shows so. Is one thread more awake than there are seats? If
  /// so, the caller now sees what those have shown that did not know it.
  bool too_many_with_me() const noexcept {
    if (free_seats() >= 0) return false;
    heavy_fence();  // [seat]
    return free_seats() < 0;
  }
  /// What a seat that was given back means: nothing to a sleeper; a seat is free that was not, and
  /// a thread sleeps; the same, and a publisher has left a note.
  enum class freed : unsigned char { nothing, seat, noted_seat };
  /// Gives seats back. If there was a note, the caller has to look for work that waits. Any thread.
  [[nodiscard]] freed give_seats_back(std::uint32_t count) noexcept {
    const std::uint64_t before =
        word_.fetch_add(count * one_seat, std::memory_order_relaxed);  // ordered by the fences
    if (count_of(before) == none_ || free_of(before) > 0 || free_of(before + count * one_seat) <= 0)
      return freed::nothing;
    full_fence();                                                         // [note]
    if (noted_.load(std::memory_order_relaxed) == 0) return freed::seat;  // ordered by the fences
    noted_.exchange(0, std::memory_order_acquire);                        // [note]
    return freed::noted_seat;
  }
  /// Below zero if more participants are awake than there are seats. Any thread.
  std::int32_t free_seats() const noexcept {
    return free_of(word_.load(std::memory_order_relaxed));  // ordered by the fences
  }

  /// A guess. Any thread.
  std::uint32_t count_hint() const noexcept {
    return count_of(word_.load(std::memory_order_relaxed)) - none_;  // orders nothing: a hint
  }

 private:
  static constexpr std::uint64_t one_sleeper = 1;
  static constexpr std::uint64_t one_seat = std::uint64_t{1} << 32;
  static std::uint32_t count_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word);
  }
  static std::int32_t free_of(std::uint64_t word) noexcept {
    return static_cast<std::int32_t>(word >> 32);
  }

  [[gnu::noinline]] bool any_with_full_fences(bool without_seat) const noexcept {
    light_fence();                                                  // P2
    const std::uint64_t n = word_.load(std::memory_order_relaxed);  // P3 ordered by the fences
    return count_of(n) != none_ && (without_seat || free_of(n) > 0);
  }

  // The count while no thread sleeps. Without membarrier it is not 0: see any().
  alignas(no_sharing_size) const std::uint32_t none_ = asymmetric_fences_available()
                                                           ? 0
                                                           : std::uint32_t{1} << 31;
  atomic<std::uint64_t> word_;      // free seats, then the count of sleepers
  atomic<std::uint32_t> noted_{0};  // work was published while no seat was free
};

}  // namespace filch::detail
