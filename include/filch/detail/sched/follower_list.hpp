// Any number of followers of one result.
#pragma once

#include <mutex>

#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/followed_latch.hpp"

namespace filch::detail {

/// The followers of a result, until it is there. Each brings the memory for its entry along, so
/// adding one cannot fail. A plain lock is good enough: it is held for a few instructions, and not
/// taken any more when the result is there.
class follower_list {
 public:
  /// The entry of one follower, which must not move while it is in the list.
  class link {
   public:
    link() = default;
    link(const link&) = delete;
    link& operator=(const link&) = delete;

   private:
    friend class follower_list;
    follower* who_ = nullptr;
    link* next_ = nullptr;
    link* previous_ = nullptr;
    chosen_pool where_;
  };

  /// Adds `who`, which will be notified. False if the others have been notified already: then it is
  /// not. Any thread. If true, `who` may have been notified already, and be gone.
  [[nodiscard]] bool add(follower& who, link& at) noexcept {
    at.who_ = &who;
    at.where_.choose_current();
    const std::scoped_lock lock(mutex_);
    if (closed_) return false;
    at.previous_ = last_;
    (last_ == nullptr ? first_ : last_->next_) = &at;
    last_ = &at;
    return true;
  }

  /// Removes a follower that was added. False if it has been notified, or will be soon. Any thread.
  [[nodiscard]] bool remove(link& at) noexcept {
    const std::scoped_lock lock(mutex_);
    if (closed_) return false;
    (at.previous_ == nullptr ? first_ : at.previous_->next_) = at.next_;
    (at.next_ == nullptr ? last_ : at.next_->previous_) = at.previous_;
    return true;
  }

  /// Notifies all followers, in the order in which they came, each with the pool that was current
  /// when it was added; or, if `by_task`, with none. Once.
  void notify_all(bool by_task) noexcept {
    link* at = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
      at = first_;
    }
    while (at != nullptr) {
      link* const next = at->next_;  // once notified, it may be gone
      at->who_->notified(by_task ? nullptr : &at->where_);
      at = next;
    }
  }

 private:
  std::mutex mutex_;  // guards what follows
  link* first_ = nullptr;
  link* last_ = nullptr;
  bool closed_ = false;
};

}  // namespace filch::detail
