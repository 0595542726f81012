// The word on which one thread sleeps.
#pragma once

#include <chrono>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/futex.hpp"

namespace filch::detail {

/// The word on which one thread sleeps, and whether it sleeps.
///
///               announce            claim (a waker that finds it among the participants of a pool)
///        awake ----------> asleep --------------------------------------------------> awake
///          ^                  |  unpark (the setter of the latch that the thread waits for)
///          |   retract        v
///          +--------------- unparked
///
/// A parker is never freed, only used again (borrow_parker). So a setter that is late with its
/// unpark() still finds a parker. If that is another thread's by now, that thread is woken for
/// nothing, and sleeps again.
///
/// Edges
///   [unpark]  claim(), unpark() leave asleep -> park(), retract() see that   the woken thread sees
///             what the waker did before
///   [asleep]  announce() stores asleep -> claim() sees it   the waker sees that the sleeper has
///             counted itself
class alignas(cache_line_size) parker {
 public:
  /// From now on it may be woken. Sleeper only.
  void announce() noexcept {
    word_.store(asleep, std::memory_order_release);  // [asleep]
  }

  /// True if it was asleep: then the caller must call unpark_claimed(). Any thread.
  [[nodiscard]] bool claim() noexcept { return leave_asleep(awake); }

  /// After a successful claim(). Any thread.
  void unpark_claimed() noexcept { futex_wake_one(word_); }

  /// Wakes it if it is asleep, touching nothing but this parker. Any thread, even if the sleeper
  /// and its pool are gone.
  void unpark() noexcept {
    if (leave_asleep(unparked)) futex_wake_one(word_);
  }

  /// Sleeps until another thread claims or unparks it. Sleeper only.
  void park() noexcept {
    while (word_.load(std::memory_order_acquire) == asleep) futex_wait(word_, asleep);  // [unpark]
  }

#ifndef FILCH_MODEL
  /// The same, at most until `deadline`. Sleeper only.
  void park_until(std::chrono::steady_clock::time_point deadline) noexcept {
    while (word_.load(std::memory_order_acquire) == asleep)  // [unpark]
      if (futex_wait_until(word_, asleep, deadline) == futex_status::timed_out) return;
  }
#endif

  /// Ends what announce() began. True if no waker had claimed the sleeper: then it is still counted
  /// as a sleeper. Sleeper only.
  [[nodiscard]] bool retract() noexcept {
    return word_.exchange(awake, std::memory_order_acquire) != awake;  // [unpark]
  }

  /// For a look from outside. Any thread.
  bool is_asleep() const noexcept {
    return word_.load(std::memory_order_relaxed) == asleep;  // orders nothing: a hint
  }

  parker* next_unused = nullptr;  // the store's

 private:
  enum state : std::uint32_t { awake, asleep, unparked };

  bool leave_asleep(state to) noexcept {
    std::uint32_t from = asleep;
    return word_.compare_exchange_strong(from, to, std::memory_order_acq_rel,  // [unpark] [asleep]
                                         std::memory_order_relaxed);           // value unused
  }

  atomic<std::uint32_t> word_{awake};
};

/// Lends the calling thread a parker, and takes it back. Parkers are used again, never freed. Any
/// thread.
parker& borrow_parker();
void return_parker(parker& unused) noexcept;

}  // namespace filch::detail
