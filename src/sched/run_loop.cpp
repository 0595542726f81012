// How a participant runs jobs and waits.
#include "filch/detail/sched/run_loop.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "filch/detail/base/backoff.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/idle_spell.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

bool run_loop::wait(latch& done, clock::time_point deadline, awaited_task* what) noexcept {
  const wait_goal g{&done, deadline};
  const counted_wait here(*this);
  if (stack_is_full() && wait_with_a_full_stack(g, what)) return done.probe();
  const deeper help(*this);
  if (deadline != clock::time_point::max() && !done.probe()) help_once(done);
  help_until_reached(g);
  return done.probe();
}

/// Runs one job even if the time is over: so a loop that polls goes on, even without another
/// worker. If there is none that this thread may or should run, it leaves the others to a spare for
/// a moment.
void run_loop::help_once(latch& done) noexcept {
  const region restriction = self_.restriction();
  const region here = self_.regions.current();
  const region only = is_call(here) ? here : restriction;
  const bool stays_out = self_.is_guest() && others_have_my_seat();
  if (!stays_out)
    if (const found_job j = self_.finder.find(only)) return self_.run(j);
  if (only == no_region) return;
  if (restriction != no_region) {
    (void)self_.away.nap(done, without_spare::block);
  } else if (self_.finder.has_work_anywhere(no_region) &&
             !self_.away.nap(done, without_spare::go_on)) {
    if (const found_job j = self_.finder.find()) self_.run(j);
  }
}

void run_loop::help_until_reached(const wait_goal& g) noexcept {
  ticks before = 0;
  const std::uint64_t sleeps = self_.tallies.sleeps.read();
  const auto after_sleep = [&] {
    if (self_.tallies.sleeps.read() != sleeps) (void)wait_for_seat(g.deadline);
  };
  for (auto last = last_step::body; const found_job j = next_job(g, last); last = last_step::job) {
    after_sleep();
    self_.run_next(j, before);
  }
  if (g.done->probe()) after_sleep();  // else the time is over, and the caller goes on without
  self_.state.set_doing(activity::running);
}

bool run_loop::stack_is_full() const noexcept {
  return help_depth_ >= self_.home().settings().max_help_depth;
}

/// Enough jobs are nested on this stack. From here on the waiter runs only the task that it waits
/// for, if no thread has begun that, and what was spawned here after the wait began. Else it
/// sleeps, while a spare does the rest. False if there is no spare, or none any more: then it is
/// better to help than to hang. src/sched/blocked_workers.md says more.
bool run_loop::wait_with_a_full_stack(const wait_goal& g, awaited_task* what) noexcept {
  const std::uint64_t first = self_.deque.next_index();
  // The task runs in its own region, which is this one. The finder of its entry counts it among the
  // jobs that it ran.
  if (what != nullptr && !g.done->probe() &&
      what->run_unless_begun(awaited_task::wait_key_of(&self_.home(), self_.regions.current())))
    return true;
  if (reached(g)) return g.done->probe() || self_.away.nap(*g.done, without_spare::go_on);
  while (!reached(g)) {
    found_job own = pop_pushed_since(first);
    if (!own) own = self_.finder.find_in_full_call();
    if (own) {
      self_.run(own);
      continue;
    }
    if (!self_.away.stand_by(g)) return false;
  }
  return true;
}

/// It takes nothing from outside: that would be one more unrelated job on this stack.
found_job run_loop::pop_pushed_since(std::uint64_t first) noexcept {
  if (static_cast<std::int64_t>(self_.deque.next_index() - first) <= 0) return {};
  return self_.finder.pop(self_.restriction());
}

void run_loop::run_until_stopped() noexcept {
  const wait_goal g;
  // A new worker sleeps first. Searching first would make n new workers try to steal from n victims
  // each, again and again.
  const bool is_new = self_.tallies.jobs.read() == 0 && self_.kind() == participant_kind::worker;
  if (is_new) woken_ = sleep_.sleep(g, no_region);
  self_.state.set_doing(activity::running);
  self_.tallies.busy.start();
  self_.home().observed.participant_is_awake();
  ticks before = 0;
  for (auto last = is_new ? last_step::sleep : last_step::job;
       const found_job j = next_job(g, last); last = last_step::job) {
    // Nothing lies below on this stack. So it stays in the call of one job for the next, which
    // mostly belongs to the same call.
    // It waits for a seat if the guest has come, or has been woken, since this took the job.
    const bool limited = call_limit::of(j.where) != nullptr;  // it may have to stay out
    const region where = limited ? no_region : j.where;
    (void)self_.regions.enter(where);
    if (where != no_region && self_.home().wakes.sleeping().too_many_for_job())
      (void)wait_for_seat();
    self_.run_next(j, before);
    if (is_isolated(where)) self_.regions.leave(no_region);
  }
  (void)self_.regions.enter(no_region);
  self_.tallies.busy.stop();
  self_.state.set_doing(activity::absent);
}

run_loop::counted_wait::counted_wait(run_loop& l) noexcept
    : loop_(l), before_(l.waits()), blocked_(l.self_.away.interrupt()) {
  loop_.waits_.store(before_ + 1, std::memory_order_relaxed);  // orders nothing
}

run_loop::counted_wait::~counted_wait() {
  loop_.waits_.store(before_, std::memory_order_relaxed);  // orders nothing
  loop_.self_.away.resume(blocked_);
}

bool run_loop::reached(const wait_goal& g) const noexcept {
  if (g.done == nullptr) return self_.home().stopped();
  if (g.done->probe()) return true;
  return g.deadline != clock::time_point::max() && clock::now() >= g.deadline;
}

/// The next job to run; none when the goal is reached, or when a spare is not needed any more.
found_job run_loop::next_job(const wait_goal& g, last_step last) noexcept {
  idle_spell spell(
      self_.random, self_.home().settings().spin,
      self_.home().settings().idle == idle::latency ? idle_spell::short_pauses : backoff_params{});
  // What ends a pause early. Looking disturbs no thread: both words are written only then.
  const auto news = [&] {
    return self_.finder.theft().has_answer() || (g.done != nullptr && g.done->probe());
  };
  // An idle spell that ends at once is not worth two readings of the clock.
  constexpr int worth_timing = 3;
  bool timed = false;
  const auto is_idle = [&] {
    if (std::exchange(timed, true)) return;
    self_.tallies.busy.stop();
    if (self_.is_guest() && tracing_now() != not_tracing) trace_idle_begins(self_);
  };
  const auto is_busy = [&] {
    if (timed) self_.tallies.busy.start();
    if (self_.is_guest() && tracing_now() != not_tracing) trace_idle_ends(self_);
  };
  const region restriction = self_.restriction();
  const bool prefers_call = g.done != nullptr && is_call(self_.regions.current());
  const region only = prefers_call ? self_.regions.current() : restriction;
  const bool slept = last == last_step::sleep;
  // A guest that comes, or wakes, may find all seats taken by workers of its call. Then it keeps
  // its seat while it goes on from job to job.
  bool has_seat = !self_.is_guest() || last != last_step::body;
  bool was_woken = slept;  // by a publisher, perhaps for a job that this thread does not take
  for (int rounds = slept ? 1 : 0;;) {
    const bool was_idle = rounds != 0;
    if (reached(g)) {
      if (was_idle) {
        is_busy();
        if (was_woken) pass_on();  // the wake-up was meant for a job, and not for the latch
      }
      return {};
    }
    if (self_.kind() == participant_kind::spare && g.done == nullptr &&
        self_.deque.size_hint() == 0 && self_.home().spares.may_rest(self_)) {
      pass_on();
      return {};
    }
    // A guest takes no job before it has a seat: a worker of its call may poll for that job.
    if (!has_seat) has_seat = !others_have_my_seat();
    if (!has_seat && self_.finder.has_work_anywhere(only)) {
      if (was_idle) pass_on();  // a wake-up that it has used up may be meant for other work, too
      has_seat = wait_for_seat(g.deadline);
      continue;
    }
    found_job j = has_seat ? look(only) : found_job{};
    if (!j) {
      self_.state.set_doing(activity::searching);
      if (!was_idle && tracing_now() != not_tracing) trace_search();
      if (rounds < worth_timing && ++rounds == worth_timing) is_idle();
      self_.home().found_nothing();
      if (!lacks_seat() && spell.keep_looking(news)) continue;
      is_idle();
      j = sleep_or_find(g, restriction, only);
      was_woken |= woken_;
      has_seat = !self_.is_guest();
      spell.restart();
      if (!j) continue;
    }
    if (was_idle) {
      is_busy();
      // First wake, then run: else ramping up takes as long as the jobs. A thread that only
      // searched has used up no wake-up. Without a seat it would leave a note that no publisher
      // needs, and that makes the guest whose job this is look for work when it leaves.
      if (was_woken || self_.home().wakes.sleeping().free_seats() > 0) pass_on();
    }
    self_.state.set_doing(activity::running);
    return j;
  }
}

/// Are there more threads awake than seats, so that this one has to sleep? A guest never has to.
bool run_loop::lacks_seat() const noexcept {
  return !self_.is_guest() && self_.home().wakes.sleeping().free_seats() < 0;
}

bool run_loop::wait_for_seat(clock::time_point deadline) noexcept {
  const auto is_over = [&] {
    return deadline != clock::time_point::max() && clock::now() >= deadline;
  };
  if (!others_have_my_seat()) return true;
  self_.tallies.busy.stop();
  backoff pause(self_.random);
  constexpr int worth_sleeping = 64;
  constexpr std::chrono::microseconds shortest(20), longest(1000);
  auto nap = shortest;
  int rounds = 0;
  bool has_seat = false;
  do {
    self_.state.set_doing(activity::awaiting_seat);
    for (; others_use_all_seats() && !is_over(); ++rounds) {
      if (rounds < worth_sleeping) {
        pause.pause();
      } else {
        std::this_thread::sleep_for(nap);
        nap = std::min(2 * nap, longest);
      }
    }
    self_.state.set_doing(activity::running);
    has_seat = !others_have_my_seat();  // another thread may have gone on because this one waited
  } while (!has_seat && !is_over());
  self_.tallies.busy.start();
  return has_seat;
}

/// Has this thread to wait for a seat before it goes on with the call that it is in?
bool run_loop::others_have_my_seat() const noexcept {
  return self_.regions.current() != no_region && self_.home().wakes.sleeping().too_many_with_me() &&
         others_use_all_seats();
}

/// Are there more threads awake than seats, and do the others run jobs, all of them of the call
/// that this thread is in? Only as many threads wait as there are too many. If more of them want
/// to, those of the lower indices go on, and count as running: else all could wait for a job that
/// one of them has.
bool run_loop::others_use_all_seats() const noexcept {
  const registry& home = self_.home();
  const std::int32_t too_many = -home.wakes.sleeping().free_seats();
  if (too_many <= 0) return false;
  bool some = false;
  std::int32_t waiting = 0;
  const region here = self_.regions.current();
  const region my_call = call_limit::outermost(here);
  const std::size_t n = home.participants.size();
  for (std::size_t i = 0; i < n; ++i) {
    const worker& other = home.participants[i];
    if (&other == &self_) continue;
    const activity doing = other.state.doing();
    if (doing == activity::awaiting_seat && i > self_.index()) {
      ++waiting;
      continue;
    }
    if (doing != activity::running && doing != activity::awaiting_seat) continue;
    const region there = other.regions.current_of_other();
    if (there != here && call_limit::outermost(there) != my_call) return false;
    some = true;
  }
  return some && waiting < too_many;
}

/// A thread that was woken for work has got a seat with it. If a guest has come since, it may still
/// take one job, though none of a guest's: guests that come and go do not keep other work waiting.
found_job run_loop::look(region only) noexcept {
  const bool woken = std::exchange(woken_, false);
  if (!lacks_seat()) return self_.finder.find(only);
  if (const found_job j = self_.finder.find_own(only)) return j;
  return woken ? self_.finder.find(only) : found_job{};
}

/// Sleeps, unless it is better to run a job after all. `restriction` is what the caller must not
/// leave, `only` is what it prefers.
found_job run_loop::sleep_or_find(const wait_goal& g, region restriction, region only) noexcept {
  // A thread that waits in a region runs no job of the rest of the pool, not even from its deque.
  bool absent = restriction != no_region && self_.away.begin(without_spare::block);
  // A worker that waits in the call of a guest gets a spare only if there is other work to do. If
  // there is no spare, it does that work itself.
  if (restriction != only) {
    if (lacks_seat())
      if (const found_job j = self_.finder.find_own(no_region)) return j;
    if (lacks_seat() || !self_.finder.has_work_anywhere(no_region)) {
      only = no_region;  // it wakes for other work, and comes here again
    } else {
      absent = self_.away.begin(without_spare::go_on);
      if (!absent) return self_.finder.find();
    }
  }
  woken_ = sleep_.sleep(g, only);
  if (absent) self_.away.end();
  return {};
}

void run_loop::pass_on() noexcept { self_.home().seating.wake_for_work(&self_); }

}  // namespace filch::detail
