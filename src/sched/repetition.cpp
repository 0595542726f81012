#include "filch/detail/sched/repetition.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "filch/detail/base/next_due.hpp"
#include "filch/detail/base/thread_id.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/waiting.hpp"

namespace filch::detail {

repetition::repetition(std::shared_ptr<registry> home, std::chrono::nanoseconds period,
                       const options& o)
    : timer(std::move(home), times::many),
      listed_job(&repetition::entry),
      period_(period),
      level_(o.priority),
      isolated_(wanted_region(o)) {}

void repetition::begin(const std::stop_token& stop) {
  due_ = clock::now() + period_;
  wait_until(due_);
  if (stop.stop_possible()) stopped_by_.emplace(stop, stop_it{this});
}

void repetition::wait() noexcept {
  if (is_inherited()) return;
  if (caller_.load(std::memory_order_relaxed) == this_thread_id()) return;  // own value, if it is
  wait_for(ended_);
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
  if (!is_cancelled()) {
    caller_.store(this_thread_id(), std::memory_order_relaxed);  // orders nothing: for itself
    try {
      std::optional<in_region> here;
      if (isolated_ == in_own_region::yes) here.emplace(new_region());
      call();
    } catch (...) {
      report_exception(home_of_this_task(), std::current_exception());
    }
    caller_.store(0, std::memory_order_relaxed);  // orders nothing: for itself
  }
  due_ = next_due(due_, clock::now(), period_);
  if (!wait_again_until(due_)) end();
}

/// The function is gone before a thread that waits goes on.
void repetition::end() noexcept {
  drop();
  latch::set(ended_);
  let_go();
}

}  // namespace filch::detail
