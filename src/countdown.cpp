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

void countdown::change(bool up, std::ptrdiff_t by) {
  waiter* notified = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    std::ptrdiff_t sum = 0;
    const bool overflows =
        up ? __builtin_add_overflow(left_, by, &sum) : __builtin_sub_overflow(left_, by, &sum);
    if (overflows || sum < 0)
      throw usage_error(std::string("filch::countdown::") + (up ? "add" : "count_down") + "(" +
                        std::to_string(by) + "): the number is " + std::to_string(left_) +
                        (up == (by < 0)
                             ? " and cannot fall below zero"
                             : " and cannot become larger than std::ptrdiff_t can count"));
    left_ = sum;
    if (left_ == 0) notified = std::exchange(waiters_, nullptr);
  }
  // The countdown may be gone from the first latch on, and each waiter from its own.
  while (notified != nullptr) {
    detail::latch& zero = notified->zero;
    notified = notified->next;
    detail::latch::set(zero);
  }
}

void countdown::wait_for_zero() {
  waiter me{};
  {
    const std::scoped_lock lock(mutex_);
    if (left_ == 0) return;
    me.next = std::exchange(waiters_, &me);
  }
  detail::wait_for(me.zero);
}

}  // namespace filch
