// What the copies of a shared future share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/follower_list.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

/// A thread that waits for a shared result, as one of its followers.
class waiting_thread final : public follower {
 public:
  void notified(const chosen_pool*) noexcept override { latch::set(done); }  // it may be gone

  latch done;
  follower_list::link link;
};

/// A result that any number of threads wait for, follow and read. It follows the state of the task
/// or promise that brings the result, and leaves the result there. Its holders are the copies of
/// the shared future, their continuations, and, until the result is there, itself.
///
/// Edge
///   [let-go]  holders let go -> the last of them destroys   all uses happen before that
template <class T>
class shared_state final : public follower {
 public:
  /// What a function that follows is called with.
  using argument = std::conditional_t<std::is_object_v<T>, std::add_lvalue_reference_t<const T>, T>;
  using link = follower_list::link;

  /// Takes over the share of a future. The caller holds a share of this object, and calls begin().
  explicit shared_state(future_state<T>& from) noexcept : from_(from) {}
  shared_state(const shared_state&) = delete;
  shared_state& operator=(const shared_state&) = delete;

  void begin() noexcept {
    if (!from_.try_follow(*this)) notified(nullptr);
  }
  void notified(const chosen_pool* where) noexcept override {
    followers_.notify_all(where == nullptr);
    let_go();
  }

  bool can_come() const noexcept { return from_.can_come(); }
  bool ready() const noexcept { return from_.done.probe(); }

  /// Waits until the result is there, at most until `deadline`. True if it is. Any thread.
  bool wait_until(std::chrono::steady_clock::time_point deadline) noexcept {
    if (ready()) return true;
    waiting_thread me;
    if (!followers_.add(me, me.link)) return true;
    if (await_until(me.done, deadline, &from_)) return true;
    if (followers_.remove(me.link)) return false;
    await(me.done);  // the setter is about to set it
    return true;
  }

  [[nodiscard]] bool try_follow(follower& next, link& at) noexcept {
    return !ready() && followers_.add(next, at);
  }

  std::uint32_t pool() const noexcept { return from_.pool(); }
  bool failed() const noexcept { return from_.failed(); }
  /// The value, or throws the exception. Any number of threads.
  argument give_value() const {
    if constexpr (std::is_void_v<T>)
      from_.result.look();
    else
      return from_.result.look();
  }
  caught give_error() const noexcept { return from_.result.error().copy(); }

  void hold() noexcept {
    holders_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: the caller holds a share
  }
  void let_go() noexcept {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;  // [let-go]
  }

 private:
  ~shared_state() { from_.let_go(); }

  future_state<T>& from_;
  follower_list followers_;
  atomic<std::size_t> holders_{2};  // [let-go] orders their uses
};

}  // namespace filch::detail
