#include "filch/detail/sched/scope_core.hpp"

#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

scope_core::scope_core(std::shared_ptr<registry> home, const options& o)
    : home_(std::move(home)), opener_(worker::current()), level_(o.priority), cancelling_(o.stop) {
  home_->require_threads();
  covered_ = opener_ != nullptr && &opener_->home() == home_.get() && !opener_->is_guest();
}

/// On a participant of the pool a task is covered by the one that opened the scope, unless that was
/// opened outside; then the pool counts each.
void scope_core::submit(member& task) {
  task.counted = true;
  if (home_->submit_unless_retired(&task, level_)) return;
  task.counted = false;
  task.run();
}

caught scope_core::skipped() const noexcept {
  switch (cancelling_.why()) {
    case course::cancelled:
      return gave_up(
          "filch::scope: the task had not started when scope::cancel() was called, and was "
          "skipped");
    case course::stopped:
      return gave_up(
          "filch::scope: the task had not started when the options::stop of its scope was asked to "
          "stop, and was skipped");
    case course::too_late:
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

/// Outside threads take part, if there is memory for a place; a worker of another pool helps its
/// own.
void scope_core::wait_for_all() noexcept {
  if (home_->is_inherited()) return;  // nobody is left who could end its tasks, or touch it
  worker* const w = worker::current();
  if (counts_apart(w)) {
    // What the opener spawned and nobody took is still in its deque.
    while (apart_ > 0 && w->run_here()) {
    }
    closed_ = true;
  }
  if (!tasks_.close(std::exchange(apart_, 0))) {
    std::optional<guest_pass> pass;
    if (worker::current() == nullptr && !home_->stopped()) {
      try {
        pass.emplace(home_);
      } catch (const std::bad_alloc&) {
        pass.reset();
      }
    }
    wait_for(tasks_.none());
  }
  tasks_.reopen();
  closed_ = false;
}

void scope_core::wait() {
  home_->require_threads();
  wait_for_all();
  if (std::optional<caught> all = std::exchange(errors_, std::nullopt)) all->rethrow();
}

void scope_core::wait_after(caught error) {
  cancelling_.end(course::unwinding);
  wait_for_all();
  if (std::optional<caught> all = std::exchange(errors_, std::nullopt))
    error.outrun(std::move(*all));
  error.rethrow();
}

scope_core::~scope_core() {
  if (home_->is_inherited()) return;  // and nobody to report to
  if (std::uncaught_exceptions() > unwinding_) cancelling_.end(course::unwinding);
  wait_for_all();
  if (!errors_) return;
  home_->report(errors_->first);
  for (std::exception_ptr& e : errors_->others) home_->report(e);
}

}  // namespace filch::detail
