#include "filch/detail/sched/intake.hpp"

#include <algorithm>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/outside_queues.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

/// Counts tasks from outside, unless the pool is closed.
void intake::accept(std::uint64_t count) {
  home_.require_threads();
  std::uint64_t before =
      accepted_.load(std::memory_order_relaxed);  // orders nothing: retried below
  do {
    if ((before & closed_bit) != 0) refuse();
  } while (!accepted_.compare_exchange_weak(before, before + count * one_task,
                                            std::memory_order_acq_rel,    // [close]
                                            std::memory_order_relaxed));  // orders nothing: retried
}

/// The same, but a participant of this pool may submit until the pool has stopped.
void intake::accept_from_anywhere(std::uint64_t count) {
  if (!home_.is_current()) return accept(count);
  require_running();
  accepted_.fetch_add(count * one_task, std::memory_order_acq_rel);  // [close]
}

bool intake::open_in(account& of) noexcept {
  of.open();
  light_fence();  // [open]
  if (!accepted().closed) return true;
  of.close();
  home_.found_nothing();
  return false;
}

void intake::require_open() const {
  home_.require_threads();
  if (accepted().closed && !home_.is_current()) refuse();
}

void intake::refuse() const {
  throw pool_closed("filch::" + title(home_) +
                    " is closed: it accepts no more tasks from outside threads");
}

/// The pool's own tasks may submit until the pool has stopped, and it does not stop while they run;
/// but on_stop hooks come too late.
void intake::require_running() const {
  if (home_.stopped())
    throw pool_closed("filch::" + title(home_) + " has stopped: its workers are ending");
}

bool intake::needs_admission() const noexcept {
  return queues_.limit() != 0 && !retired() && !home_.is_current();
}

bool intake::try_admit() {
  home_.require_threads();
  if (accepted().closed) refuse();
  return queues_.try_admit(1);
}

void intake::inject(listed_job* task, priority level) noexcept {
  queues_.admit_anyway(1);
  injected_besides_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: a hint
  queues_.put(task, task, 1, level);
}

void intake::submit_chain(listed_job* first, listed_job* last, std::size_t count, priority level,
                          reservation* admitted) {
  worker* const w = worker::current();
  if (w == nullptr || &w->home() != &home_) {
    home_.require_threads();  // before it waits to be admitted, which only they can bring about
    const bool reserved = admitted != nullptr && admitted->held();
    if (!reserved) queues_.admit(count);
    try {
      accept(count);
    } catch (...) {  // pool_closed, or std::bad_alloc
      if (!reserved) queues_.release(count);
      throw;
    }
    if (reserved) admitted->use();
    queues_.put(first, last, count, level);
    return;
  }
  require_running();
  if (level != priority::normal || (w->is_guest() && !is_isolated(w->regions.current()))) {
    queues_.admit_anyway(count);  // a participant does not wait: it may have to empty the queues
    for (std::size_t i = 0; i < count; ++i) w->tasks.open();
    w->spawned.add(count);
    injected_besides_.fetch_add(static_cast<std::int64_t>(count),
                                std::memory_order_relaxed);  // orders nothing: a hint
    queues_.put(first, last, count, level);
    return;
  }
  w->deque.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    listed_job* const next = first->next;  // once pushed it may be gone
    w->tasks.open();                       // first: once pushed, a thief may run and close it
    w->push_submitted(first);
    w->spawned.add();
    first = next;
  }
}

void intake::submit_beyond_limit(listed_job* task, priority level) {
  accept_from_anywhere(1);
  queues_.admit_anyway(1);
  queues_.put(task, task, 1, level);
}

void intake::submit_to_worker(listed_job* task) {
  accept_from_anywhere(1);
  queues_.put_installed(task);
}

void intake::submit_to_each(std::span<listed_job* const> tasks) {
  accept_from_anywhere(tasks.size());
  injected_besides_.fetch_sub(static_cast<std::int64_t>(tasks.size()),
                              std::memory_order_relaxed);  // orders nothing: a hint
  if (tracing_now() != not_tracing) trace_inject(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    worker& to = home_.participants[i];
    to.inbox.put(tasks[i]);  // P1
    light_fence();           // P2
    (void)home_.wakes.wake(to, nullptr);
  }
  home_.spares.recall_for_inbox_jobs();
}

awaited_task::wait_key intake::wait_key(bool into_deque) const noexcept {
  const worker* const w = worker::current();
  const bool mine = into_deque && w != nullptr && &w->home() == &home_;
  return awaited_task::wait_key_of(&home_, mine ? w->regions.current() : no_region);
}

bool intake::close() noexcept {
  const std::uint64_t before =
      accepted_.fetch_or(closed_bit, std::memory_order_acq_rel);  // [close]
  if ((before & closed_bit) != 0) return false;
  queues_.open_for_all();  // a thread in line is admitted, and refused by accept()
  return true;
}

std::size_t intake::waiting_hint() const noexcept {
  std::uint64_t taken = 0;  // first, so that there are not more of them than were put in
  const roster& all = home_.participants;
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i) taken += all[i].tallies.injector_takes.read();
  const auto left = static_cast<std::int64_t>(accepted().tasks - taken) +
                    injected_besides_.load(std::memory_order_relaxed);  // orders nothing: a hint
  return static_cast<std::size_t>(std::max<std::int64_t>(left, 0));
}

void intake::release_admission() noexcept { queues_.release(1); }

}  // namespace filch::detail
