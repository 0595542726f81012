#include "filch/detail/sched/scope_core.hpp"

#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/isolated_tasks.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

scope_core::scope_core(std::shared_ptr<registry> home, const options& o)
    : home_(std::move(home)), level_(o.priority), cancelling_(o.stop) {
  home_->require_threads();
  if (o.isolate) {
    const hidden_from_sanitizers hidden;  // its lock is in memory that tasks use
    isolated_ = std::make_shared<isolated_tasks>(*home_);
  }
  worker* const w = worker::current();
  covered_ = w != nullptr && &w->home() == home_.get() && !w->is_guest() && isolated_ == nullptr;
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
  task.run();
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
          "filch::scope: the task had not started when the time of scope::cancel_at() came, and "
          "was skipped");
    default:
      return gave_up(
          "filch::scope: the task had not started when an exception ended its scope, and was "
          "skipped");
  }
}

void scope_core::record(caught&& error) noexcept {
  const std::scoped_lock lock(mutex_);
  if (errors_)
    errors_->outrun(std::move(error));
  else
    errors_ = std::move(error);
}

void scope_core::record_current() noexcept { record(caught::current()); }

/// Outside threads take part, if there is memory for a slot; a worker of another pool helps its own
/// pool.
void scope_core::wait_for_all() noexcept {
  if (home_->is_inherited()) return;  // no thread is left that could end its tasks, or touch it
  if (worker* const w = worker::current(); counts_apart(w)) {
    const run_loop::counted_wait here(w->loop);
    w->loop.run_newest(first_, apart_);               // tasks spawned here that no thief took
    counter_.store(this, std::memory_order_relaxed);  // orders nothing: only w gets the answer yes
  }
  // Isolated tasks are counted twice: here and in the list. Their waiter waits for the list, and
  // keeps its share here.
  const bool over =
      isolated_ != nullptr ? isolated_->none_left() : tasks_.close(std::exchange(apart_, 0));
  if (!over) {
    std::optional<guest_pass> pass;
    if (worker::current() == nullptr && !home_->stopped()) {
      try {
        pass.emplace(home_);
      } catch (...) {
        pass.reset();
      }
    }
    if (isolated_ != nullptr)
      isolated_->wait();
    else
      wait_for(tasks_.none());
  }
  tasks_.reopen();
  if (covered_)
    counter_.store(static_cast<worker_front*>(opener_),
                   std::memory_order_relaxed);  // no other thread
}

/// Not every task that the maker spawned is marked. But a task runs on the maker's thread only
/// while that is in a wait that began after it made the scope.
region scope_core::where_to_wait() const noexcept {
  return isolated_ != nullptr ? isolated_->where_to_wait() : no_region;
}

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

void scope_core::wait_and_rethrow() {
  require_waitable();
  wait_for_all();
  if (std::optional<caught> all = std::exchange(errors_, std::nullopt)) all->rethrow();
}

void scope_core::wait_and_rethrow_after(caught error) {
  cancelling_.end(phase::unwinding);
  wait_for_all();
  if (std::optional<caught> all = std::exchange(errors_, std::nullopt))
    error.outrun(std::move(*all));
  error.rethrow();
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
  wait_for_all();
  if (!errors_ || home_->is_inherited()) return;  // in a child they are the parent's
  report_exception(*home_, errors_->first);
  for (const std::exception_ptr& e : errors_->others) report_exception(*home_, e);
}

}  // namespace filch::detail
