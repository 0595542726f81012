#include "filch/detail/sched/scope_core.hpp"

#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/early_end.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/isolated_tasks.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

scope_core::scope_core(std::shared_ptr<registry> home, const options& o)
    : home_(std::move(home)), level_(o.priority), cancelling_(o.stop) {
  home_->require_threads();
  if (has_deadline(o)) cancelling_.end_at(o.deadline);
  if (o.isolate) {
    const hidden_from_sanitizers hidden;  // its lock is in memory that tasks use
    isolated_ = std::make_shared<isolated_tasks>(*home_);
  }
  if (o.max_workers != 0) {
    if (o.isolate || o.priority != priority::normal)
      throw usage_error(
          "filch::scope: options::max_workers cannot be together with isolate or a priority; leave "
          "one of them out");
    limit_.emplace(o.max_workers);
  }
  worker* const w = worker::current();
  covered_ = w != nullptr && &w->home() == home_.get() && !w->is_guest() && isolated_ == nullptr &&
             !limit_;
  if (limit_) {
    set_call(limit_->where(false));
    if (w != nullptr && &w->home() != home_.get()) limit_->caller_stays_out();
  }
  const bool by_injector = !limit_ && (isolated_ != nullptr || level_ != priority::normal ||
                                       home_->settings().queue_limit != 0);
  if (w == nullptr && !by_injector) maker_ = &my_branches;
  if (w != nullptr && &w->home() == home_.get() && w->is_guest() && !by_injector && !limit_)
    set_call(w->regions.current());
  if (!covered_) return;
  opener_ = w;
  waits_ = w->loop.waits();
  first_ = w->deque.next_index();
  counter_.store(static_cast<worker_front*>(w), std::memory_order_relaxed);  // no other thread yet
}

/// Submits a task that the pool counts. (In a scope that a counted task made, tasks of participants
/// are not counted: that task ends after them.)
void scope_core::submit(member& task) {
  if (isolated_ != nullptr) return isolated_->add(task, level_);  // which is counted for it
  task.counted = true;
  if (submit_unless_retired(*home_, &task, level_)) return;
  task.counted = false;
  const guest_stay here = guest_stay::in_place(*home_);
  task.run();
}

// ---- tasks in the call of a maker that is no worker of the pool ---------------------------------

worker_front* scope_core::open_in_call(worker_front* w) noexcept {
  if (w != nullptr) {
    const bool in_call = ends_apart(w) || w->regions.current() == call_region() || limit_;
    if (call_region() == no_region || &w->home() != home_.get() || !in_call) return nullptr;
    w->tasks.open();
    return w;
  }
  if (maker_ != &my_branches || home_->accepts.retired() || home_->is_inherited()) return nullptr;
  if (opener_ == nullptr && !no_slot_) take_slot();
  return opener_ != nullptr && home_->accepts.open_in(opener_->tasks) ? opener_ : nullptr;
}

bool scope_core::run_in_call(job& task) noexcept {
  worker* const w = worker::current();
  if (w == nullptr || &w->home() != home_.get() || w->regions.current() == call_region())
    return false;
  w->run_in_region({&task, call_region()});
  return true;
}

void scope_core::take_back_opened(worker_front& slot) noexcept {
  slot.tasks.close();
  home_->found_nothing();
}

void scope_core::push_in_call(worker_front& slot, member& task) {
  const sanitizer_hidden hidden;
  slot.push(&task, worker::current() == nullptr || limit_ ? call_region() : slot.regions.current());
  slot.spawned.add();
}

void scope_core::take_slot() noexcept {
  try {
    opener_ = &home_->participants.take_guest_slot(*home_);
  } catch (const std::bad_alloc&) {
    no_slot_ = true;  // tasks go by way of the injector
    if (limit_) limit_->caller_stays_out();
    return;
  }
  home_->idle.expect_guests();
  first_ = opener_->deque.next_index();
  if (!limit_) set_call(region_of_call() & ~present_bit);
  opener_->state.begin_absence();  // it runs no job until it waits: thieves may take the last one
}

void scope_core::give_slot_back() noexcept {
  opener_->state.end_absence();
  home_->participants.return_guest_slot(*std::exchange(opener_, nullptr));
}

/// The maker runs those of its tasks that no thief took, then waits for the others. If the time is
/// over before, it keeps its slot, with the tasks that are left.
bool scope_core::wait_as_guest(clock::time_point deadline) noexcept {
  bool over = false;
  {
    opener_->state.end_absence();
    guest_pass pass(*opener_, call_region());
    const bool enters = worker::current() == opener_;
    if (enters && opener_->deque.size_hint() != 0) opener_->loop.wait_for_seat(deadline);
    if (enters && deadline == for_ever) {
      const run_loop::counted_wait here(opener_->loop);
      const running_here inside(*this);
      // Only this thread gets the answer yes, and only while it runs the tasks that it has spawned.
      ender_.store(static_cast<worker_front*>(opener_),
                   std::memory_order_relaxed);  // orders nothing
      opener_->own_tasks.run(first_, apart_);
      ender_.store(this, std::memory_order_relaxed);  // orders nothing
      opener_->tasks.close(std::exchange(unclosed_, 0));
      home_->found_nothing();
    }
    over = wait_for_tasks(deadline);
    opener_->state.begin_absence();
    if (!over) pass.keep_jobs();
  }
  if (over) give_slot_back();
  return over;
}

/// An outside thread takes part, if there is memory for a slot.
bool scope_core::wait_for_isolated(clock::time_point deadline) noexcept {
  std::optional<guest_slot> slot;
  std::optional<guest_pass> pass;
  if (worker::current() == nullptr && !home_->stopped()) {
    try {
      slot.emplace(home_);
      pass.emplace(**slot, isolated_->where_to_wait());
    } catch (const std::bad_alloc&) {
      slot.reset();
    }
  }
  return isolated_->wait_until(deadline);
}

caught scope_core::skipped() const noexcept {
  switch (cancelling_.why()) {
    case phase::cancelled:
      return gave_up(
          "filch::scope: the task had not started when scope::cancel() was called, and was "
          "skipped");
    case phase::stopped:
      return gave_up(
          "filch::scope: the task had not started when the options::stop of its scope was asked to "
          "stop, and was skipped");
    case phase::too_late:
      return gave_up(
          "filch::scope: the task had not started when the time of scope::cancel_at() or of its "
          "options::deadline came, and was skipped");
    default:
      return gave_up(
          "filch::scope: the task had not started when an exception ended its scope, and was "
          "skipped");
  }
}

/// True if all tasks have ended. A worker of another pool helps its own pool.
bool scope_core::wait_for_all(clock::time_point deadline) noexcept {
  if (home_->is_inherited()) return true;  // no thread is left that could end its tasks
  std::optional<in_region> in_call;
  if (limit_ && home_->is_current() && worker::current()->regions.current() != call_region())
    in_call.emplace(call_region());
  if (maker_ != nullptr && opener_ != nullptr && worker::current() == nullptr)
    return wait_as_guest(deadline);
  if (worker* const w = worker::current(); counts_apart(w)) {
    const run_loop::counted_wait here(w->loop);
    if (deadline == for_ever) w->own_tasks.run(first_, apart_);  // those that no thief took
    counter_.store(this, std::memory_order_relaxed);  // orders nothing: only w gets the answer yes
  }
  const bool over = isolated_ == nullptr     ? wait_for_tasks(deadline)
                    : isolated_->none_left() ? true
                                             : wait_for_isolated(deadline);
  if (over && isolated_ != nullptr) tasks_.reopen();
  if (over && maker_ != nullptr && opener_ != nullptr) give_slot_back();
  if (covered_)
    counter_.store(static_cast<worker_front*>(opener_),
                   std::memory_order_relaxed);  // no other thread
  return over;
}

/// Isolated tasks are counted twice: here and in the list. Their waiter waits for the list, and
/// keeps its share here; so this is for other tasks.
bool scope_core::wait_for_tasks(clock::time_point deadline) noexcept {
  if (!tasks_.close(std::exchange(apart_, 0)) && !wait_for_until(tasks_.none(), deadline)) {
    if (tasks_.take_share_back()) return false;
    wait_for(tasks_.none());  // it is being set
  }
  tasks_.reopen();
  return true;
}

region scope_core::where_to_wait() const noexcept {
  return isolated_ != nullptr ? isolated_->where_to_wait() : no_region;
}

/// Not every task that the maker spawned is marked. But a task runs on the maker's thread only
/// while that is in a wait that began after it made the scope.
bool scope_core::inside_own_task() const noexcept {
  if (covered_ && worker::current() == opener_) return opener_->loop.waits() > waits_;
  return running_here::inside(*this);
}

void scope_core::require_waitable() const {
  home_->require_threads();
  if (inside_own_task())
    throw usage_error("filch::scope::wait() was called in " + title(*home_) +
                      " inside one of the scope's own tasks: it would wait for the task that calls "
                      "it. To wait for tasks inside a task, make a scope there.");
  if (covered_ && worker::current() != opener_)
    throw usage_error(
        "filch::scope::wait() was called on another thread than the worker of " + title(*home_) +
        " that made the scope: wait for it where it was made. To wait for tasks inside "
        "a task, make a scope there.");
}

bool scope_core::wait_and_rethrow(clock::time_point deadline) {
  require_waitable();
  if (!wait_for_all(deadline)) return false;
  errors_.rethrow();
  return true;
}

void scope_core::wait_and_rethrow_after(caught error) {
  cancelling_.end(phase::unwinding);
  (void)wait_for_all(for_ever);
  errors_.rethrow_after(std::move(error));
}

void scope_core::begin_end() noexcept {
  if (home_->is_inherited()) return;  // its tasks are the parent's
  if (inside_own_task())
    fail(
        "a filch::scope was destroyed by one of its own tasks, which would have to wait for "
        "itself. Destroy it on the thread that made it, after its tasks.");
  if (std::uncaught_exceptions() > unwinding_) cancelling_.end(phase::unwinding);
}

scope_core::~scope_core() {
  begin_end();
  (void)wait_for_all(for_ever);
  if (!home_->is_inherited()) errors_.report(*home_);  // in a child they are the parent's
}

}  // namespace filch::detail
