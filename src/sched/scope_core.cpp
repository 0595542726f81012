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
    if (o.isolate)
      throw usage_error(
          "filch::scope: options::max_workers cannot be together with isolate. "
          "Use max_workers only, and make the scope inside of filch::isolate()");
  }
  worker* const w = worker::current();
  const bool in_pool = home_->is_current();
  if (o.max_workers != 0) {
    limit_.emplace(o.max_workers, in_pool ? region_here() : no_region);
    limited_ = limit_->where(is_isolated(region_here()));
  }
  covered_ = in_pool && !w->is_guest() && isolated_ == nullptr && !limit_;
  const bool by_injector = isolated_ != nullptr || level_ != priority::normal;
  if (w == nullptr && !by_injector) outside_maker_ = &my_branches;
  if (in_pool && (limit_ || (w->is_guest() && !by_injector))) set_call(w->regions.current());
  if (!covered_) return;
  maker_slot_ = w;
  waits_ = w->loop.waits();
  first_ = w->deque.next_index();
  counter_.store(static_cast<worker_front*>(w), std::memory_order_relaxed);  // no other thread yet
}

/// Submits a task that the pool counts. (In a scope that a counted task made, tasks of participants
/// are not counted: that task ends after them.)
void scope_core::submit(member& task) {
  if (isolated_ != nullptr) return isolated_->add(task, level_);  // which is counted for it
  const bool works_alone =
      no_slot_ && outside_maker_ == &my_branches && worker::current() == nullptr;
  if (works_alone) {
    home_->accepts.require_open();
    const guest_stay here = guest_stay::alone(*home_);
    return task.run();
  }
  task.counted = true;
  if (submit_unless_retired(*home_, &task, level_)) return;
  task.counted = false;
  const guest_stay here = guest_stay::in_place(*home_);
  task.run();
}

// ---- tasks in the call of a maker that is no worker of the pool ---------------------------------

worker_front* scope_core::open_in_call(worker_front* w) noexcept {
  if (w != nullptr) {
    if (&w->home() != home_.get() || !is_in_call(*w)) return nullptr;
    w->tasks.open();
    return w;
  }
  // Without workers, no other thread would take it from the slot of a maker that does not wait yet.
  if (home_->size() == 0) return nullptr;
  if (outside_maker_ != &my_branches || home_->accepts.retired() || home_->is_inherited())
    return nullptr;
  if (maker_slot_ == nullptr && !no_slot_) take_slot();
  if (maker_slot_ == nullptr) return nullptr;
  const std::size_t most = home_->settings().queue_limit;
  if (most != 0 && maker_slot_->deque.size_hint() >= most) run_oldest();
  return home_->accepts.open_in(maker_slot_->tasks) ? maker_slot_ : nullptr;
}

/// As many tasks wait in the maker's slot as may: it runs one before it spawns the next.
void scope_core::run_oldest() noexcept {
  maker_slot_->state.end_absence();
  {
    guest_pass pass(*maker_slot_, call_region());
    pass.keep_jobs();
    queued oldest{};
    if (worker::current() == maker_slot_ && maker_slot_->deque.steal(oldest) == steal_status::taken)
      maker_slot_->run({oldest.word, region_of(oldest.tag)});
  }
  maker_slot_->state.begin_absence();
}

bool scope_core::is_in_call(const worker_front& w) const noexcept {
  if (isolated_ != nullptr) return false;
  // In a pool without workers a guest runs what it has before it leaves. A call of the task here
  // would need stack for each task that spawns the next.
  if (home_->size() == 0) return true;
  const region here = w.regions.current(), call = call_region();
  if (limit_ && (here == limited_ || here == call)) return true;
  return call != no_region && (ends_apart(&w) || here == call);
}

bool scope_core::run_in_limit(job& task) noexcept {
  worker* const w = worker::current();
  if (w == nullptr || &w->home() != home_.get() || w->regions.current() == limited_) return false;
  const region around = call_limit::limited_around(limited_);
  const bool is_there = around == no_region || call_limit::is_within(w->regions.current(), around);
  w->run_in_region({&task, is_there ? limited_ : around});
  return true;
}

void scope_core::take_back_opened(worker_front& slot) noexcept {
  slot.tasks.close();
  home_->found_nothing();
}

void scope_core::push_in_call(worker_front& slot, member& task) {
  const sanitizer_hidden hidden;
  const region here = slot.regions.current();
  const region call = call_region();
  const bool as_maker =
      worker::current() == nullptr || (limit_ && here == limited_ && call != no_region);
  slot.push(&task, as_maker ? call : here);
  slot.spawned.add();
}

void scope_core::take_slot() noexcept {
  try {
    maker_slot_ = &home_->participants.take_guest_slot(*home_);
  } catch (const std::bad_alloc&) {
    no_slot_ = true;  // it runs its tasks as it spawns them
    return;
  }
  home_->idle.expect_guests();
  first_ = maker_slot_->deque.next_index();
  // The pool may have had no slot when a limited call of the maker began. The maker keeps its place
  // in that call when it sleeps, so its tasks must not wait for that place.
  const region here = region_of_call();
  set_call((is_limited(here) ? new_unlimited_region() | call_bit : here) & ~present_bit);
  if (limit_) limit_->set_around(call_region());
  // It runs no job until it waits: thieves may take the last one.
  maker_slot_->state.begin_absence();
}

void scope_core::give_slot_back() noexcept {
  maker_slot_->state.end_absence();
  home_->participants.return_guest_slot(*std::exchange(maker_slot_, nullptr));
}

/// The maker runs those of its tasks that no thief took, then waits for the others. If the time is
/// over before, it keeps its slot, with the tasks that are left.
bool scope_core::wait_as_guest(clock::time_point deadline) noexcept {
  bool over = false;
  {
    maker_slot_->state.end_absence();
    guest_pass pass(*maker_slot_, call_region());
    const bool enters = worker::current() == maker_slot_;
    if (enters && maker_slot_->deque.size_hint() != 0)
      (void)maker_slot_->loop.wait_for_seat(deadline);
    if (enters && deadline == for_ever) {
      const run_loop::counted_wait here(maker_slot_->loop);
      const running_here inside(*this);
      // Only this thread gets the answer yes, and only while it runs the tasks that it has spawned.
      ender_.store(static_cast<worker_front*>(maker_slot_),
                   std::memory_order_relaxed);  // orders nothing
      maker_slot_->own_tasks.run(first_, apart_);
      ender_.store(this, std::memory_order_relaxed);  // orders nothing
      maker_slot_->tasks.close(std::exchange(unclosed_, 0));
      home_->found_nothing();
    }
    over = wait_for_tasks(deadline);
    maker_slot_->state.begin_absence();
    if (!over) pass.keep_jobs();
  }
  if (over) give_slot_back();
  return over;
}

/// An outside thread takes part. If there is no slot for it, it runs the tasks alone.
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
  const guest_stay alone = guest_stay::alone(*home_);
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
  // The maker has become a guest in another slot since: it takes the tasks as a thief.
  if (outside_maker_ != nullptr && maker_slot_ != nullptr && home_->is_current() &&
      worker::current()->is_guest())
    in_call.emplace(call_region());
  if (outside_maker_ != nullptr && maker_slot_ != nullptr && worker::current() == nullptr)
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
  if (over && outside_maker_ != nullptr && maker_slot_ != nullptr) give_slot_back();
  if (covered_)
    counter_.store(static_cast<worker_front*>(maker_slot_),
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
  if (covered_ && worker::current() == maker_slot_) return maker_slot_->loop.waits() > waits_;
  return running_here::inside(*this);
}

void scope_core::require_waitable() const {
  home_->require_threads();
  if (inside_own_task())
    throw usage_error("filch::scope::wait() was called in " + title(*home_) +
                      " inside one of the scope's own tasks: it would wait for the task that calls "
                      "it. To wait for tasks inside a task, make a scope there.");
  if (covered_ && worker::current() != maker_slot_)
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
