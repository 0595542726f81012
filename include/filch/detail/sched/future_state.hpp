// What a task and its future share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/outcome.hpp"

namespace filch::detail {

/// The result of a task, and the latch that is set when the result is there. Its holders are the
/// task, its future or the continuation that consumed the future, and perhaps others that the task
/// needs. The last holder to let go destroys it.
///
/// Edge
///   [let-go]  holders let go -> the last of them destroys   all uses happen before that
template <class T>
class future_state : public awaited_task {
 public:
  using value_type = T;
  using argument = T;  // of a function that follows
  struct link {};      // a follower needs no memory here

  explicit future_state(std::size_t holders = 2) noexcept : holders_(holders) {}
  future_state(const future_state&) = delete;
  future_state& operator=(const future_state&) = delete;

  followed_latch done;
  outcome<value_of<T>> result;

  /// Is the result there, or can it still come? In a child of fork() it cannot come any more: only
  /// the parent has the task.
  bool can_come() const noexcept { return born_.is_here() || done.probe(); }

  /// From now on `next` waits for the result: see followed_latch::try_follow().
  [[nodiscard]] bool try_follow(follower& next) noexcept {
    will_be_followed();
    return done.try_follow(next);
  }
  [[nodiscard]] bool try_follow(follower& next, link&) noexcept { return try_follow(next); }

  bool failed() const noexcept { return result.failed(); }
  /// The value for the one follower, or the exception.
  T give_value() { return result.take(); }
  caught give_error() noexcept { return std::move(result.error()); }

  /// The result is there: wakes the waiter, or notifies the follower. The task calls this before it
  /// lets go.
  void deliver() noexcept {
    pool_ = pool_number_here();
    followed_latch::set(done);
  }
  /// The same for a task of the pool `where` that will not run: as if it had ended there.
  void deliver_in(const chosen_pool& where) noexcept {
    pool_ = where.number();
    followed_latch::set(done, &where);
  }
  /// The number of the pool in which the task ended; 0 if there was none. After `done` was set.
  std::uint32_t pool() const noexcept { return pool_; }

  /// A waiter can run only a task that waits in a queue: see claim.hpp.
  bool run_unless_begun(wait_key) noexcept override { return false; }

  /// Holders only become fewer: a thread that sees one left is that one.
  void let_go() noexcept {
    if (holders_.load(std::memory_order_acquire) == 1 ||        // [let-go]
        holders_.fetch_sub(1, std::memory_order_acq_rel) == 1)  // [let-go]
      delete this;
  }

 protected:
  virtual ~future_state() = default;

  /// The calling thread is about to enter a follower.
  virtual void will_be_followed() noexcept {}

 private:
  birthplace born_;
  std::uint32_t pool_ = 0;
  atomic<std::size_t> holders_;  // [let-go] orders their uses
};

}  // namespace filch::detail
