#include "filch/detail/sched/scope_core.hpp"

#include <exception>

#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

scope_core::scope_core(std::shared_ptr<registry> home) : home_(std::move(home)) {
  const worker* const w = worker::current();
  covered_ = w != nullptr && &w->home() == home_.get() && !w->is_guest();
}

void scope_core::submit(member& task) {
  worker* const w = worker::current();
  task.counted = !covered_;
  if (w == nullptr || &w->home() != home_.get()) {
    if (home_->retired()) {
      task.counted = false;
      task.run();
    } else {
      task.counted = true;
      home_->submit(&task);
    }
    return;
  }
  if (task.counted) w->tasks.open();
  try {
    w->push(&task);
  } catch (...) {
    if (task.counted) w->tasks.close();
    throw;
  }
  w->tallies.spawned.add();
}

void scope_core::record(caught&& error) noexcept {
  const std::scoped_lock lock(mutex_);
  if (errors_)
    errors_->outrun(std::move(error));
  else
    errors_ = std::move(error);
}

/// Outside threads take part; a worker of another pool helps its own.
void scope_core::wait_for_all() noexcept {
  if (!tasks_.close()) {
    if (worker::current() == nullptr && !home_->stopped()) {
      const guest_pass pass(home_);
      wait_for(tasks_.none());
    } else {
      wait_for(tasks_.none());
    }
  }
  tasks_.reopen();
}

void scope_core::wait() {
  wait_for_all();
  if (errors_) {
    caught all = std::move(*errors_);
    errors_.reset();
    all.rethrow();
  }
}

scope_core::~scope_core() {
  if (std::uncaught_exceptions() > unwinding_)
    skip_.store(true, std::memory_order_relaxed);  // orders nothing: whoever misses it runs
  wait_for_all();
  if (!errors_) return;
  home_->report(errors_->first);
  for (std::exception_ptr& e : errors_->others) home_->report(e);
}

}  // namespace filch::detail
