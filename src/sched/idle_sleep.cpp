// How a participant goes to sleep. sleep_and_wake.md has the protocol and its proof.
#include "filch/detail/sched/idle_sleep.hpp"

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

/// S1 to S5.
bool idle_sleep::sleep(const wait_goal& g, region only) noexcept {
  registry& home = self_.home();
  sleepers& sleeping = home.wakes.sleeping();
  self_.state.set_sleeps_in(only);
  // Until the pool has its first work, no participant has anything to take or to be asked for. So n
  // new workers do not look at n participants each.
  bool asked = false;
  sleeping.announce(*parker_, [&] {  // S1, S2
    asked = home.has_had_work();
    if (!asked) return;
    self_.tallies.rounds.add();
    home.participants.ask_for_branches();
  });
  const bool waits = g.done != nullptr;
  const bool set = waits && !g.done->try_sleep(*parker_);
  const bool stopping = !waits && home.stopped();
  if (!set && !stopping && finds_nothing(only, asked)) {  // S3
    // The seat of a thread that may run some jobs only is for a thread that may run the others.
    if (only != no_region) self_.loop.pass_on();
    park(g.deadline);  // S4
  }
  if (waits && !set) g.done->cancel_sleep(*parker_);
  return !sleeping.retract(*parker_);  // S5
}

/// S3. Without a free seat a worker looks only at what it may run without one, and leaves a note:
/// there may be work for which it was woken.
bool idle_sleep::finds_nothing(region only, bool asked) noexcept {
  if (!asked) return !self_.home().has_had_work();
  const bool may_look = self_.is_guest() || self_.home().wakes.sleeping().may_wake_for_others();
  return may_look ? !self_.finder.has_work_anywhere(only) : !self_.finder.has_own_work(only);
}

/// S4.
void idle_sleep::park(wait_goal::clock::time_point deadline) noexcept {
  self_.tallies.sleeps.add();  // first: a thread that sees it asleep finds it counted
  self_.state.set_doing(activity::sleeping);
  self_.tallies.asleep.start();
  if (tracing_now() != not_tracing) trace_sleep_begins(self_);
  if (deadline == wait_goal::clock::time_point::max())
    parker_->park();
  else
    parker_->park_until(deadline);
  self_.tallies.asleep.stop();
  self_.state.set_doing(activity::searching);
  self_.home().observed.participant_is_awake();
  if (tracing_now() != not_tracing) trace_sleep_ends(self_);
}

}  // namespace filch::detail
