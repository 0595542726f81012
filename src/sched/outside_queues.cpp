#include "filch/detail/sched/outside_queues.hpp"

#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/detail/sched/waker.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

void outside_queues::put(listed_job* first, listed_job* last, std::size_t count,
                         priority level) noexcept {
  // Counted before they can be taken, so that the count never falls below zero.
  if (level == priority::high)
    urgent_.fetch_add(count, std::memory_order_relaxed);  // orders nothing: a hint
  if (tracing_now() != not_tracing) trace_inject(count);
  queue(level).push_chain(first, last);                                              // P1
  for (std::size_t i = 0; i < count && wakes_.sleeping().any_to_notify(false); ++i)  // P2, P3
    if (!wakes_.wake_one_if_seat(nullptr, no_region)) break;                         // P4
}

void outside_queues::put_installed(listed_job* task) noexcept {
  if (tracing_now() != not_tracing) trace_inject(1);
  installed_.push(task);                                // P1
  if (wakes_.sleeping().any_to_notify(false))           // P2, P3
    (void)wakes_.wake_one_if_seat(nullptr, no_region);  // P4
}

listed_job* outside_queues::take(priority level, std::size_t most) noexcept {
  listed_job* const first = queue(level).take(most);
  if (first == nullptr || (level != priority::high && limit_ == 0)) return first;
  std::size_t count = 0;
  for (const listed_job* j = first; j != nullptr; j = j->next) ++count;
  if (level == priority::high)
    urgent_.fetch_sub(count, std::memory_order_relaxed);  // orders nothing: a hint
  release(count);
  return first;
}

bool outside_queues::has_work() const noexcept {
  for (const injector<listed_job>& q : queues_)
    if (!q.empty_hint()) return true;
  return !installed_.empty_hint();
}

void outside_queues::admit(std::size_t count) noexcept {
  if (limit_ == 0) return;
  if (worker::current() == nullptr) {
    admission::waiter mine(count);
    if (!admission_.enter(mine)) wait_for(mine.entered);
    return;
  }
  for (;;) {  // it helps meanwhile, so it cannot be admitted in its absence
    admission::waiter mine(count, true);
    if (admission_.enter(mine)) return;
    wait_for(mine.entered);
  }
}

}  // namespace filch::detail
