// How a pool takes work: what it accepts, where that goes, and whom it wakes.
#include <string>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

[[noreturn]] void refuse_option(const char* who, const std::string& option, const char* advice) {
  throw usage_error(std::string("filch::") + who + "(): options::" + option + advice);
}

}  // namespace

void refuse_for_tasks(const options& o, const char* who) {
  if (o.priority > priority::low)
    throw usage_error(std::string("filch::") + who + "(): there is no priority number " +
                      std::to_string(static_cast<unsigned>(o.priority)) +
                      ", only high, normal and low");
  refuse_option(who,
                o.grain != 0      ? "grain, which is " + std::to_string(o.grain) + ","
                : o.deterministic ? "deterministic"
                                  : "progress",
                " is for loops, and means nothing for a task: leave it out, or give it to the "
                "algorithm that the task calls");
}

void require_only_on(const options& o, const char* who) {
  const char* const other = o.grain != 0                     ? "grain"
                            : o.stop.stop_possible()         ? "stop"
                            : o.priority != priority::normal ? "priority"
                            : o.isolate                      ? "isolate"
                            : o.deterministic                ? "deterministic"
                            : o.progress                     ? "progress"
                                                             : nullptr;
  if (other != nullptr)
    refuse_option(who, other, " means nothing here, only `on` does: leave it out");
}

/// Counts tasks from outside in, unless the pool is closed.
void registry::accept(std::uint64_t count) {
  require_threads();
  std::uint64_t before =
      accepted_.load(std::memory_order_relaxed);  // orders nothing: retried below
  do {
    if ((before & closed_bit) != 0) refuse();
  } while (!accepted_.compare_exchange_weak(before, before + count * one_task,
                                            std::memory_order_acq_rel,    // [close]
                                            std::memory_order_relaxed));  // orders nothing: retried
}

void registry::refuse() const {
  throw pool_closed("filch::" + title() + " is closed: it takes no more work from outside");
}

/// Waits until there is room for tasks from outside.
void registry::enter_room(std::size_t count) noexcept {
  if (settings_.queue_limit == 0) return;
  if (worker::current() == nullptr) {
    room::seat mine(count);
    if (!room_.enter(mine)) wait_for(mine.entered);
    return;
  }
  for (;;) {  // helps meanwhile, so that no place can be kept for it
    room::seat mine(count, true);
    if (room_.enter(mine)) return;
    wait_for(mine.entered);
  }
}

/// Takes room for one task from outside, if there is some.
bool registry::try_enter_room() {
  require_threads();
  if ((accepted_.load(std::memory_order_relaxed) & closed_bit) != 0)  // orders nothing: accept()
    refuse();                                                         // decides
  return room_.try_enter(1);
}

void registry::put_outside(listed_job* first, listed_job* last, std::size_t count,
                           priority level) noexcept {
  // Before they can be taken, so that it never falls below zero.
  if (level == priority::high)
    urgent_.fetch_add(count, std::memory_order_relaxed);  // orders nothing: a hint
  if (tracing_now() != not_tracing) trace_inject(count);
  outside(level).push_chain(first, last);  // P1
  for (std::size_t i = 0; i < count && sleepers_.any(); ++i)
    if (!wake_one(nullptr, wanted::anybody, no_region)) break;  // P2, P3, P4
}

void registry::inject(listed_job* task, priority level) noexcept {
  if (settings_.queue_limit != 0) room_.enter_anyway(1);
  injected_besides_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: a hint
  put_outside(task, task, 1, level);
}

listed_job* registry::take_outside(priority level, std::size_t most) noexcept {
  listed_job* const first = outside(level).take(most);
  if (first == nullptr || (level != priority::high && settings_.queue_limit == 0)) return first;
  std::size_t count = 0;
  for (const listed_job* j = first; j != nullptr; j = j->next) ++count;
  if (level == priority::high)
    urgent_.fetch_sub(count, std::memory_order_relaxed);  // orders nothing: a hint
  leave_room(count);
  return first;
}

bool registry::submit_unless_retired(listed_job* task, priority level, reservation* place) {
  if (retired() && !is_current()) return false;
  try {
    submit_chain(task, task, 1, level, place);
    return true;
  } catch (const pool_closed&) {
    if (retired()) return false;  // it did so just now
    throw;
  }
}

void registry::submit_chain(listed_job* first, listed_job* last, std::size_t count, priority level,
                            reservation* place) {
  worker* const w = worker::current();
  if (w == nullptr || &w->home() != this) {
    require_threads();  // before it waits for what only they can bring
    const bool reserved = place != nullptr && place->held();
    if (!reserved) enter_room(count);
    try {
      accept(count);
    } catch (...) {  // pool_closed, or std::bad_alloc
      if (!reserved) leave_room(count);
      throw;
    }
    if (reserved) place->use();
    put_outside(first, last, count, level);
    return;
  }
  require_running();
  if (level != priority::normal) {
    // It does not wait for room, which it may be this worker's part to make.
    if (settings_.queue_limit != 0) room_.enter_anyway(count);
    for (std::size_t i = 0; i < count; ++i) w->tasks.open();
    w->tallies.spawned.add(count);
    injected_besides_.fetch_add(static_cast<std::int64_t>(count),
                                std::memory_order_relaxed);  // orders nothing: a hint
    put_outside(first, last, count, level);
    return;
  }
  w->reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    listed_job* const next = first->next;  // once pushed it may be gone
    w->tasks.open();
    w->push_submitted(first);
    w->tallies.spawned.add();
    first = next;
  }
}

void registry::submit_to_worker(listed_job* task) {
  accept_from_anywhere(1);
  if (tracing_now() != not_tracing) trace_inject(1);
  for_workers_.push(task);                                            // P1
  if (sleepers_.any()) wake_one(nullptr, wanted::worker, no_region);  // P2, P3, P4
}

void registry::submit_to_each(std::span<listed_job* const> tasks) {
  accept_from_anywhere(tasks.size());
  injected_besides_.fetch_sub(static_cast<std::int64_t>(tasks.size()),
                              std::memory_order_relaxed);  // orders nothing: a hint
  if (tracing_now() != not_tracing) trace_inject(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    worker& to = participant(i);
    to.put_in_inbox(tasks[i]);  // P1
    light_fence();              // P2
    (void)wake(to, nullptr);
  }
  recall_those_with_mail();
}

void registry::refuse_inherited() const {
  throw usage_error("filch::" + title() +
                    " was made before fork(), and its threads do not exist in this child process: "
                    "make a new pool here. (default_pool() gives a new one by itself.)");
}

/// The pool's own tasks may submit until it is empty, and it is not while they run; but on_stop
/// hooks come too late.
void registry::require_running() const {
  if (stopped()) throw pool_closed("filch::" + title() + " has stopped: its workers are ending");
}

void registry::accept_from_anywhere(std::uint64_t count) {
  if (!is_current()) return accept(count);
  require_running();
  accepted_.fetch_add(count * one_task, std::memory_order_acq_rel);  // [close]
}

bool registry::has_work_for_anybody() const noexcept {
  for (const injector<listed_job>& i : outside_)
    if (!i.empty_hint()) return true;
  return false;
}

bool registry::has_work(worker& who) const noexcept {
  if (who.current_region() == no_region) {
    if (has_work_for_anybody()) return true;
    if (!who.is_guest() && !for_workers_.empty_hint()) return true;
  }
  return who.has_own_work() || others_have_work(who, who.current_region());
}

/// Is there anything that `who`, who is or will be in region `where`, could steal?
bool registry::others_have_work(const worker& who, region where) const noexcept {
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i)
    if (worker& w = participant(i); &w != &who && w.has_work_for_thief(where)) return true;
  return false;
}

void registry::ask_everybody() const noexcept {
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) participant(i).ask_for_branches();
}

bool registry::wake_one(worker* by, wanted whom, region where) noexcept {
  const auto n = static_cast<std::uint32_t>(roster_size());
  const std::uint32_t start = by != nullptr ? by->random.bounded(n) : 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    worker& w = participant((start + i) % n);
    if (&w == by || (whom == wanted::worker && w.is_guest())) continue;
    if (w.sleeps_in() != no_region && w.sleeps_in() != where) continue;
    if (wake(w, by)) return true;
  }
  return false;
}

bool registry::wake(worker& sleeper, worker* by) noexcept {
  if (!sleepers_.wake(sleeper.bed())) return false;
  if (by != nullptr) by->tallies.wakes.add();
  if (tracing_now() != not_tracing) trace_wake(sleeper);
  return true;
}

void registry::wake_one_who_can_help(worker& by) noexcept {
  if (has_outside_work() && wake_one(&by, wanted::worker, no_region)) return;
  const std::size_t n = roster_size();
  bool some = false;
  for (std::size_t i = 0; i < n && !some; ++i) some = participant(i).has_work_for_thief(no_region);
  for (std::size_t i = 0; i < n && some; ++i) {
    worker& w = participant(i);
    if (&w == &by) continue;
    const region where = w.sleeps_in();
    if ((where == no_region || others_have_work(w, where)) && wake(w, &by)) return;
  }
}

void registry::wake_all() noexcept {
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) (void)sleepers_.wake(participant(i).bed());
}

}  // namespace filch::detail
