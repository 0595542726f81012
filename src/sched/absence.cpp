#include "filch/detail/sched/absence.hpp"

#include <utility>

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

bool absence::begin(without_spare choice) noexcept {
  const bool may = self_.is_guest()
                       ? choice == without_spare::block
                       : self_.home().spares.begin_blocking(choice, self_.state.am_absent());
  if (may) go_away();
  return may;
}

void absence::end() noexcept {
  self_.state.end_absence();
  if (!self_.is_guest() && !self_.state.am_absent()) self_.home().spares.end_blocking();
}

void absence::go_away() noexcept {
  self_.state.begin_absence();  // P1, for its jobs below the threshold
  if (self_.home().settings().steal_threshold > 1) self_.loop.pass_on();  // P2, P3, P4
}

void absence::set_blocked(bool blocked) noexcept {
  if (blocked ? blocked_++ != 0 : --blocked_ != 0) return;
  blocked ? leave_seat() : take_seat();
}

std::size_t absence::interrupt() noexcept {
  const std::size_t blocked = std::exchange(blocked_, 0);
  if (blocked != 0) take_seat();
  return blocked;
}

void absence::resume(std::size_t blocked) noexcept {
  blocked_ = blocked;
  if (blocked != 0 && !self_.home().is_inherited()) leave_seat();
}

void absence::leave_seat() noexcept {
  self_.state.set_doing(activity::blocked);
  self_.tallies.busy.stop();
  self_.home().seating.give_back(self_);
}

void absence::take_seat() noexcept {
  self_.state.set_doing(activity::running);
  self_.home().seating.take();
  self_.tallies.busy.start();
}

bool absence::nap(latch& done, without_spare choice) noexcept {
  if (!begin(choice)) return false;
  set_blocked(true);
  (void)wait_asleep(done, wait_goal::clock::now() + std::chrono::milliseconds(1));
  set_blocked(false);
  end();
  return true;
}

bool absence::stand_by(const wait_goal& g) noexcept {
  spare_threads::standby me{.who = self_, .counts = self_.state.am_absent() ? 0u : 1u};
  parker& sleeper = *standby_parker_;
  sleeper.announce();  // before it is entered: a thread that recalls it finds it asleep
  const bool may_sleep = self_.home().spares.begin_standby(me);
  bool recalled = false;
  if (may_sleep) {
    go_away();
    set_blocked(true);
    // A thread that has left a job with the call since the last look may have unparked it too
    // early.
    if (!self_.finder.has_job_in_full_call() && g.done->try_sleep(sleeper)) {
      sleeper.park_until(g.deadline);
      g.done->cancel_sleep(sleeper);
    }
    set_blocked(false);
    self_.state.end_absence();
    recalled = self_.home().spares.end_standby(me);
  }
  (void)sleeper.retract();
  return may_sleep && !recalled;
}

}  // namespace filch::detail
