// countdown: waits until something has been counted down to zero, and helps meanwhile.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <mutex>

#include "filch/detail/base/sanitizer.hpp"

namespace filch {

/// A number that threads count down, and a wait for zero. As std::latch, but a worker that waits
/// runs other jobs meanwhile, as in join(), and the number may go up again. A thread outside of
/// every pool sleeps while it waits.
///
/// Throws   `usage_error` by the constructor, add() and count_down() if the number would fall below
///          zero or be too large for std::ptrdiff_t. Then it stays as it was.
/// Threads  Any, all at once. It may be destroyed when every wait() has returned, and every
///          count_down() that these waited for has been called.
/// Memory   A thread sees after wait() what all others did before their count_down().
/// Cost     A lock.
///
///     filch::countdown left(3);
///     for (auto& part : parts) start(part, [&] { left.count_down(); });
///     left.wait();
class countdown {
 public:
  explicit countdown(std::ptrdiff_t count);
  countdown(const countdown&) = delete;
  countdown& operator=(const countdown&) = delete;
  ~countdown() = default;

  void add(std::ptrdiff_t more = 1) {
    const detail::sanitizer_hidden hidden;
    change(true, more);
  }
  void count_down(std::ptrdiff_t less = 1) {
    detail::tsan_release(this);
    const detail::sanitizer_hidden hidden;
    change(false, less);
  }
  /// Waits until the number is zero. Returns at once if it is.
  void wait() {
    {
      const detail::sanitizer_hidden hidden;
      wait_for_zero();
    }
    detail::tsan_acquire(this);
  }

 private:
  struct waiter;
  void change(bool up, std::ptrdiff_t by);
  void wait_for_zero();

  std::mutex mutex_;  // what follows
  std::ptrdiff_t left_;
  waiter* waiters_ = nullptr;
};

}  // namespace filch
