#include "filch/countdown.hpp"

#include <string>
#include <utility>

#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch {

/// Lies on the stack of the thread that waits, until its latch is set.
struct countdown::waiter {
  detail::latch zero;
  waiter* next;
};

countdown::countdown(std::ptrdiff_t count) : left_(count) {
  if (count < 0)
    throw usage_error("filch::countdown: it cannot begin at " + std::to_string(count) +
                      ", which is below zero");
}

void countdown::add(std::ptrdiff_t more) { change(more, "add"); }

void countdown::count_down(std::ptrdiff_t less) { change(-less, "count_down"); }

void countdown::change(std::ptrdiff_t by, const char* who) {
  waiter* notified = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (by < -left_)
      throw usage_error("filch::countdown::" + std::string(who) + "(): " + std::to_string(left_) +
                        " are left, so it cannot be changed by " + std::to_string(by));
    left_ += by;
    if (left_ == 0) notified = std::exchange(waiters_, nullptr);
  }
  // The countdown may be gone from the first latch on, and each waiter from its own.
  while (notified != nullptr) {
    detail::latch& zero = notified->zero;
    notified = notified->next;
    detail::latch::set(zero);
  }
}

void countdown::wait() {
  waiter me{};
  {
    const std::scoped_lock lock(mutex_);
    if (left_ == 0) return;
    me.next = std::exchange(waiters_, &me);
  }
  detail::wait_for(me.zero);
}

}  // namespace filch
