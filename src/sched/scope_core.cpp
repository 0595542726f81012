#include "filch/detail/sched/scope_core.hpp"

#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

scope_core::scope_core(std::shared_ptr<registry> home)
    : home_(std::move(home)), opener_(worker::current()) {
  home_->require_threads();
  covered_ = opener_ != nullptr && &opener_->home() == home_.get() && !opener_->is_guest();
}

/// On a participant of the pool a task is covered by the one that opened the scope, unless that was
/// opened outside; then the pool counts each.
void scope_core::submit(member& task) {
  task.counted = true;
  if (home_->submit_unless_retired(&task)) return;
  task.counted = false;
  task.run();
}

caught scope_core::skipped() noexcept {
  try {
    throw cancelled(
        "filch::scope: the task had not started when an exception ended its scope, and was "
        "skipped");
  } catch (...) {  // cancelled, or std::bad_alloc
    return {std::current_exception(), {}};
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
    while (apart_ > 0) {
      const found_job j = w->find_here();
      if (!j) break;
      w->run(j);
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
  skip_.store(true, std::memory_order_relaxed);  // orders nothing: whoever misses it runs
  wait_for_all();
  if (std::optional<caught> all = std::exchange(errors_, std::nullopt))
    error.outrun(std::move(*all));
  error.rethrow();
}

scope_core::~scope_core() {
  if (home_->is_inherited()) return;  // and nobody to report to
  if (std::uncaught_exceptions() > unwinding_)
    skip_.store(true, std::memory_order_relaxed);  // orders nothing: whoever misses it runs
  wait_for_all();
  if (!errors_) return;
  home_->report(errors_->first);
  for (std::exception_ptr& e : errors_->others) home_->report(e);
}

}  // namespace filch::detail
