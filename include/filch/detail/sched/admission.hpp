// How many tasks from outside may wait in a pool's queues, and the line of threads behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/to_size.hpp"
#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/latch.hpp"

namespace filch::detail {

/// Counts the tasks that are admitted. A thread that comes while the count is below `limit` is
/// admitted, even if its tasks then exceed the limit, so that no batch is too large. A thread that
/// comes while the count is at the limit waits in line. When the count falls below the limit, the
/// first thread in line is admitted, and no other.
///
/// There is one exception: a waiter that helps while it waits. It is only notified that the count
/// is below the limit. It leaves the line, and tries again when it gets to it. Its frame may lie
/// below another frame on the same stack that waits to be admitted as well, or for something that
/// has to be: if the lower frame were admitted, its tasks would count, but could not be put in
/// before the upper frame has ended.
///
/// Invariants
///   I1  A thread waits <=> the line is not empty <=> the bit is set. It changes under the mutex.
///   I2  While the bit is set only threads in line are admitted (and calls of enter_anyway()).
///   I3  A thread that lowers the count while the bit is set looks at the line.
/// So no wake-up is lost: count and bit are one word. Either the thread that lowers the count sees
/// the bit, or the thread that lines up sees the lower count. The word publishes nothing, so no
/// operation on it orders anything: the mutex guards the line.
///
/// `Mutex` is std::mutex, except under the model checker.
template <class Mutex>
class basic_admission {
 public:
  explicit basic_admission(std::size_t limit) noexcept : limit_(limit) {}

  /// A waiter in the line. It lies on the stack of the thread that waits.
  struct waiter {
    explicit waiter(std::size_t number, bool tries_again = false) noexcept
        : count(number), only_notified(tries_again) {}
    const std::size_t count;
    const bool only_notified;
    latch entered;  // or notified
    var<waiter*> next{nullptr};
  };

  /// Admits `count` tasks, if the count is below the limit and the line is empty. Any thread.
  bool try_enter(std::size_t count) noexcept {
    std::uint64_t now = word_.load(std::memory_order_relaxed);  // orders nothing: retried below
    do {
      if ((now & waits) != 0 || now / one >= limit_) return false;
    } while (!word_.compare_exchange_weak(now, now + count * one,
                                          std::memory_order_relaxed,    // orders nothing: I3
                                          std::memory_order_relaxed));  // orders nothing: retried
    return true;
  }

  /// The same, or `s` lines up: then false, and `s.entered` will be set. If `s` is only notified,
  /// its tasks are not admitted when that is set. Any thread.
  [[nodiscard]] bool enter(waiter& s) noexcept {
    if (try_enter(s.count)) return true;
    const std::scoped_lock lock(mutex_);
    if (closed_.get()) {
      enter_anyway(s.count);
      return true;
    }
    if (first_.get() == nullptr && !line_up_or_enter(s.count)) return true;
    (first_.get() == nullptr ? first_ : last_.get()->next).set(&s);
    last_.set(&s);
    return false;
  }

  /// Admits `count` tasks, also above the limit. Any thread.
  void enter_anyway(std::size_t count) noexcept {
    word_.fetch_add(count * one, std::memory_order_relaxed);  // orders nothing: a count
  }

  /// Takes `count` tasks off the count. Any thread.
  void leave(std::size_t count) noexcept {
    const std::uint64_t before =
        word_.fetch_sub(count * one, std::memory_order_relaxed);  // orders nothing: I3
    if ((before & waits) == 0) return;
    const std::scoped_lock lock(mutex_);
    let_in(limit_);
  }

  /// From now on every thread is admitted at once, those in line included. Any thread.
  void close() noexcept {
    const std::scoped_lock lock(mutex_);
    closed_.set(true);
    let_in(SIZE_MAX);
  }

  /// A guess. Any thread.
  std::size_t size_hint() const noexcept {
    const std::uint64_t now = word_.load(std::memory_order_relaxed);  // orders nothing: a hint
    return to_size(now / one);
  }

 private:
  static constexpr std::uint64_t waits = 1;
  static constexpr std::uint64_t one = 2;

  /// The line is empty. Sets the bit and returns true; or, if the count is below the limit by now,
  /// admits the tasks and returns false. Under the mutex.
  bool line_up_or_enter(std::size_t count) noexcept {
    std::uint64_t now = word_.load(std::memory_order_relaxed);  // orders nothing: retried below
    bool fits = false;
    do {
      fits = now / one < limit_;
    } while (!word_.compare_exchange_weak(now, fits ? now + count * one : now | waits,
                                          std::memory_order_relaxed,    // orders nothing: I3
                                          std::memory_order_relaxed));  // orders nothing: retried
    return !fits;
  }

  /// Admits threads in line while the count is below `limit`. Under the mutex.
  void let_in(std::size_t limit) noexcept {
    while (waiter* const s = first_.get()) {
      // A thread that lowers the count after this look comes here, too.
      const std::uint64_t now = word_.load(std::memory_order_relaxed);  // orders nothing: see above
      if (now / one >= limit) return;
      if (!s->only_notified) enter_anyway(s->count);
      first_.set(s->next.get());
      if (first_.get() == nullptr)
        word_.fetch_and(~waits, std::memory_order_relaxed);  // orders nothing: I1
      latch::set(s->entered);                                // it may be gone
    }
  }

  const std::size_t limit_;
  alignas(no_sharing_size) atomic<std::uint64_t> word_{0};  // the count of tasks, and the bit
  Mutex mutex_;                                             // what follows, and the bit
  var<bool> closed_{false};
  var<waiter*> first_{nullptr};
  var<waiter*> last_{nullptr};
};

using admission = basic_admission<std::mutex>;

}  // namespace filch::detail
