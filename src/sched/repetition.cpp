#include "filch/detail/sched/repetition.hpp"

#include <exception>
#include <utility>

#include "filch/detail/base/next_due.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/base/thread_id.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

repetition::~repetition() = default;

void repetition::begin(const std::stop_token& stop) {
  tell_release(this);
  due_ = clock::now() + period_;
  wait_until(due_);
  if (stop.stop_possible()) stopped_by_.emplace(stop, stop_it{this});
}

void repetition::wait() noexcept {
  if (is_inherited()) return;
  if (caller_.load(std::memory_order_relaxed) == this_thread_id()) return;  // own value, if it is
  {
    const hidden_from_sanitizers hidden;
    wait_for(ended_);
  }
  tell_acquire(&ended_);
}

bool repetition::has_ended() const noexcept {
  if (is_inherited()) return true;
  if (!ended_.probe()) return false;
  tell_acquire(&ended_);
  return true;
}

bool repetition::begins() noexcept {
  try {
    return submit_beyond_limit_unless_retired(home(), this, level_);
  } catch (...) {  // pool_closed
    return false;
  }
}

void repetition::entry(job& self) noexcept {
  static_cast<repetition&>(self).run();  // it may be gone, or run again elsewhere
  task_ended();
}

void repetition::run() noexcept {
  if (!is_cancelled()) call_once();
  due_ = next_due(due_, clock::now(), period_);
  if (!wait_again_until(due_)) end();
}

/// In a region of its own: while the function waits, this thread runs no job that might drop the
/// handle, and wait() would take for a part of the call.
void repetition::call_once() noexcept {
  const in_region here(new_region());
  const shown_to_sanitizers shown;
  tell_acquire(this);
  caller_.store(this_thread_id(), std::memory_order_relaxed);  // orders nothing: for itself
  std::exception_ptr error;
  try {
    call();
  } catch (...) {
    error = std::current_exception();
  }
  if (is_inherited()) went_on_after_fork();
  if (error != nullptr) report_exception(home(), std::move(error));
  caller_.store(0, std::memory_order_relaxed);  // orders nothing: for itself
  tell_release(this);
  tell_release(&home());  // for wait_idle()
}

/// The function is gone before a thread that waits goes on.
void repetition::end() noexcept {
  {
    const shown_to_sanitizers shown;
    tell_acquire(this);
    drop();
    tell_release(&ended_);
  }
  latch::set(ended_);
  let_go();
}

}  // namespace filch::detail
