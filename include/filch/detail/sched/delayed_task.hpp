// A task that begins at a given time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/timer.hpp"
#include "filch/errors.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// What submit_after() makes. No waiter may run it before its time, so its wait key is `nowhere`.
template <class F, class T>
class delayed_task final : public submitted_task<F, T>, public timer {
 public:
  delayed_task(F&& f, const options& o, std::shared_ptr<registry> home)
      : submitted_task<F, T>(std::move(f), early_end{o.stop, o.deadline}, wanted_region(o),
                             awaited_task::nowhere),
        timer(std::move(home), times::once),
        level_(o.priority) {}

  /// The caller holds a share. If `stop` is asked to stop while the task waits, the task is
  /// refused. Throws what timer::wait_until() throws.
  void begin_at(std::chrono::steady_clock::time_point when, const std::stop_token& stop) {
    this->given();
    timer::wait_until(when);
    if (stop.stop_possible()) stopped_by_.emplace(stop, give_up{this});
  }

 private:
  struct give_up {
    delayed_task* what;
    void operator()() const noexcept {
      if (what->cancel())  // else it has begun, and looks at the token itself
        what->refuse_waiting(
            gave_up("filch::submit_after(): options::stop was asked to stop before the time of the "
                    "task came, and the task did not run"));
    }
  };

  bool begins() noexcept override {
    try {
      return submit_beyond_limit_unless_retired(timer::home(), this, level_);
    } catch (...) {  // pool_closed
      return false;
    }
  }
  void abandoned() noexcept override {
    const sanitizer_seen seen;
    this->taken();
    refuse_waiting(
        caught::make<pool_closed>("filch::submit_after(): the pool was closed before the time of "
                                  "the task came, and the task did not run"));
  }
  /// Afterwards it may be gone.
  void refuse_waiting(caught&& why) noexcept {
    const chosen_pool where{timer::shared_home()};
    this->refuse(std::move(why), where);
  }

  priority level_;
  std::optional<std::stop_callback<give_up>> stopped_by_;
};

}  // namespace filch::detail
