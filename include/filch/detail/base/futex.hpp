// Sleeping until a 4-byte word changes. Parkers, and so all waits for latches, sleep by this.
//
// A waiter sleeps only if the word still has the value that it expects. That comparison and going
// to sleep are one step for wakers. So the waiter cannot miss a waker that first changes the word
// and then wakes. The futex itself orders no memory: the word is an atomic, and the orders of its
// operations do.
//
// Every wait may return without a wake (a signal, a changed word, a late wake meant for an object
// that used to live at this address). Callers loop:
//
//     while (word.load(std::memory_order_acquire) == asleep) futex_wait(word, asleep);
//
// The implementation is src/base/futex_<system>.cpp. No call changes errno.
#pragma once

#include "filch/detail/base/config.hpp"

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else

#include <chrono>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

static_assert(sizeof(atomic<std::uint32_t>) == 4 && atomic<std::uint32_t>::is_always_lock_free);

/// How a wait with a deadline ended.
enum class futex_status : unsigned char {
  awake,      ///< A wake, a changed word, or nothing in particular: look at the word.
  timed_out,  ///< The deadline has passed. The word may have changed all the same.
};

/// Sleeps while `word` is `expected`, until a wake. Any thread.
void futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;

/// The same, at most until `deadline`. Deadlines are absolute, so that the caller's loop does not
/// prolong them. A deadline in the past does not sleep; time_point::max() is centuries away. Any
/// thread.
[[nodiscard]] futex_status futex_wait_until(
    const atomic<std::uint32_t>& word, std::uint32_t expected,
    std::chrono::steady_clock::time_point deadline) noexcept;

/// The same for `timeout` from now: for waits that are not repeated. Any thread.
[[nodiscard]] futex_status futex_wait_for(const atomic<std::uint32_t>& word, std::uint32_t expected,
                                          std::chrono::nanoseconds timeout) noexcept;

/// Wakes one of the threads that sleep on `word`, and returns how many it woke: 0 or 1. Any thread.
///
/// It uses only the address of `word`. A waiter that saw the change and left may have ended the
/// life of `word` already; an object that lives there since sees at most a wake for no reason.
unsigned futex_wake_one(const atomic<std::uint32_t>& word) noexcept;

/// Wakes every thread that sleeps on `word`, and returns how many it woke. Any thread; for the life
/// of `word` see futex_wake_one().
unsigned futex_wake_all(const atomic<std::uint32_t>& word) noexcept;

}  // namespace filch::detail

#endif
