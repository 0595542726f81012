// futex(2), private to the process.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/futex.hpp"

namespace filch::detail {
namespace {

static_assert(sizeof(timespec) == 16, "a 32-bit Linux wants SYS_futex_time64 here");

using clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC, which is also what the kernel compares

/// Returns the kernel's result: a count, or an error as a negative number. errno stays as it was.
long futex(const atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* deadline) noexcept {
  const int saved_errno = errno;
  const long result = syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, deadline,
                              nullptr, FUTEX_BITSET_MATCH_ANY);
  const int error = errno;
  errno = saved_errno;
  return result < 0 ? -error : result;
}

futex_status wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                  const timespec* deadline) noexcept {
  const long result = futex(word, FUTEX_WAIT_BITSET, expected, deadline);
  switch (result) {
    case 0:  // woken, perhaps by a thread that meant an object that was at this address before
    case -EAGAIN:  // the word had changed
    case -EINTR:   // a signal; going back to sleep here would hide it from the caller's loop
      return futex_status::awake;
    case -ETIMEDOUT:
      return futex_status::timed_out;
    default:  // if this returned, the caller's loop would use a core without any message
      fail("the futex system call fails (%s); filch cannot let threads sleep without it",
           std::strerror(static_cast<int>(-result)));
  }
}

unsigned wake(const atomic<std::uint32_t>& word, std::uint32_t most) noexcept {
  const long result = futex(word, FUTEX_WAKE, most, nullptr);
  // EFAULT: the word's memory is gone, and so is every thread that could have been waiting.
  return result < 0 ? 0 : static_cast<unsigned>(result);
}

}  // namespace

void futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  static_cast<void>(wait(word, expected, nullptr));
}

futex_status futex_wait_until(const atomic<std::uint32_t>& word, std::uint32_t expected,
                              clock::time_point deadline) noexcept {
  // The kernel rejects times before the clock's start.
  const auto since_start = std::max(deadline.time_since_epoch(), clock::duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_start);
  const std::chrono::nanoseconds rest = since_start - seconds;
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds.count());
  time.tv_nsec = static_cast<long>(rest.count());
  return wait(word, expected, &time);
}

futex_status futex_wait_for(const atomic<std::uint32_t>& word, std::uint32_t expected,
                            std::chrono::nanoseconds timeout) noexcept {
  const auto now = clock::now();
  const auto most = clock::time_point::max() - now;  // now + timeout must not overflow
  timeout = std::max(timeout, std::chrono::nanoseconds::zero());
  return futex_wait_until(word, expected,
                          timeout < most ? now + timeout : clock::time_point::max());
}

unsigned futex_wake_one(const atomic<std::uint32_t>& word) noexcept { return wake(word, 1); }

unsigned futex_wake_all(const atomic<std::uint32_t>& word) noexcept { return wake(word, INT_MAX); }

}  // namespace filch::detail
