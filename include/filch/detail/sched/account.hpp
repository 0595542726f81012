// The tasks that one participant opened and closed: idle detection without a shared counter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"

namespace filch::detail {

/// The tasks that one thread opened, and the tasks that it closed: two counts with one writer each
/// and no read-modify-write. A task may be closed in another account than it was opened in; only
/// the sums over all accounts mean something.
///
/// The pool is idle at some moment if the sum of the closed tasks, read first, equals the sum of
/// the opened ones, read afterwards. Both sums only grow, so at a moment between the two readings
/// no more tasks had been opened than had been closed.
///
/// Edge
///   [settle]  close() stores closed_ -> closed() loads it   a thread that sees a task closed sees
///             what the task did, and what it opened
class account {
 public:
  /// One more task, before any thread can run it. Owner only.
  void open() noexcept {
    const std::uint64_t n = opened_.load(std::memory_order_relaxed);  // own value
    opened_.store(n + 1, std::memory_order_relaxed);                  // ordered by settle
  }
  /// `count` tasks have ended. Owner only.
  void close(std::uint64_t count = 1) noexcept {
    const std::uint64_t n = closed_.load(std::memory_order_relaxed);  // own value
    closed_.store(n + count, std::memory_order_release);              // [settle]
  }
  /// Any thread.
  std::uint64_t closed() const noexcept {
    return closed_.load(std::memory_order_acquire);  // [settle]
  }
  /// Any thread.
  std::uint64_t opened() const noexcept {
    return opened_.load(std::memory_order_relaxed);  // ordered by settle
  }

 private:
  atomic<std::uint64_t> opened_{0};
  atomic<std::uint64_t> closed_{0};
};

/// Were all tasks closed that were opened, in `all` accounts or `outside` of them? `all` has size()
/// and operator[], and may grow meanwhile; `outside` returns the number of tasks opened elsewhere.
/// The order matters: closed tasks are added up first, as the class says. Any thread.
template <class Accounts, class Outside>
bool all_closed(const Accounts& all, Outside outside) noexcept {
  std::uint64_t closed = 0;
  for (std::size_t i = 0, n = all.size(); i < n; ++i) closed += all[i].closed();
  std::uint64_t opened = outside();
  for (std::size_t i = 0, n = all.size(); i < n; ++i) opened += all[i].opened();
  return closed == opened;
}

}  // namespace filch::detail
