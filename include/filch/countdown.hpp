// countdown: waits until something has been counted down to zero, and helps meanwhile.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <mutex>

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

  void add(std::ptrdiff_t more = 1);
  void count_down(std::ptrdiff_t less = 1);
  /// Waits until the number is zero. Returns at once if it is.
  void wait();

 private:
  struct waiter;
  void change(bool up, std::ptrdiff_t by);

  std::mutex mutex_;  // what follows
  std::ptrdiff_t left_;
  waiter* waiters_ = nullptr;
};

}  // namespace filch
