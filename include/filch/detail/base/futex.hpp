// Sleeping until a 4-byte word changes: the one thing in filch that blocks a thread.
//
// A waiter sleeps only if the word still has the value that it expects: that comparison and going
// to sleep are one step, as far as wakers are concerned. So whoever changes the word first and then
// wakes cannot be missed. The futex itself orders no memory: the word is an atomic, and its own
// orders do.
//
// Every wait may return without a wake (a signal, a changed word, a late wake meant for something
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
/// prolong them. One in the past does not sleep; time_point::max() is centuries away. Any thread.
[[nodiscard]] futex_status futex_wait_until(
    const atomic<std::uint32_t>& word, std::uint32_t expected,
    std::chrono::steady_clock::time_point deadline) noexcept;

/// The same for `timeout` from now: for waits that are not repeated. Any thread.
[[nodiscard]] futex_status futex_wait_for(const atomic<std::uint32_t>& word, std::uint32_t expected,
                                          std::chrono::nanoseconds timeout) noexcept;

/// Wakes one of the threads that sleep on `word`, and returns how many those were: 0 or 1. Any
/// thread.
///
/// Only the address of `word` is used. A waiter that saw the change and left may have ended the
/// life of `word` already; whatever lives there now sees at most a wake for no reason.
unsigned futex_wake_one(const atomic<std::uint32_t>& word) noexcept;

/// Wakes every thread that sleeps on `word`, and returns how many those were. Any thread; for
/// the life of `word` see futex_wake_one().
unsigned futex_wake_all(const atomic<std::uint32_t>& word) noexcept;

}  // namespace filch::detail

#endif
