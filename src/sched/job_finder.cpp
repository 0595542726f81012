// Where a participant's next job comes from: its own queues, another participant, or outside.
#include "filch/detail/sched/job_finder.hpp"

#include <new>

#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

constexpr std::size_t injector_batch = 16;  // jobs taken from the injector in one turn

}  // namespace

found_job job_finder::find() noexcept {
  if (const found_job j = self_.find_here()) return j;
  if (const found_job j = find_in_full_call()) return j;
  self_.turns.set_outside_in_deque(false);
  if (const found_job j = find_in_own_branches(no_region)) return j;
  if (const found_job j = thief_.steal(no_region)) return j;
  return {find_in_injector()};
}

found_job job_finder::find(region only) noexcept {
  if (only == no_region) return find();
  for (; only != no_region; only = call_limit::around(only)) {
    if (const found_job j = find_own_of(only)) return j;
    if (const found_job j = thief_.steal(only)) return j;
  }
  return {};
}

found_job job_finder::find_own(region only) noexcept {
  do {
    if (const found_job j = find_own_of(only)) return j;
    only = call_limit::around(only);
  } while (only != no_region);
  return {};
}

found_job job_finder::find_own_of(region only) noexcept {
  if (only == no_region && !self_.inbox.empty())
    if (job* const j = find_in_inbox()) return {j};
  if (const found_job j = pop(only)) return j;
  if (const found_job j = find_in_full_call()) return j;
  if (const found_job j = find_in_own_branches(only)) return j;
  return only == no_region ? found_job{} : find_oldest_of_region(only);
}

found_job job_finder::find_in_full_call() noexcept {
  const region here = self_.regions.current();
  call_limit* const limit = call_limit::of(here);
  if (limit == nullptr) return {};
  return limit->take(here);
}

bool job_finder::has_job_in_full_call() const noexcept {
  const region here = self_.regions.current();
  call_limit* const limit = call_limit::of(here);
  return limit != nullptr && limit->has_jobs(here);
}

found_job job_finder::find_here_or_outside() noexcept {
  if (const found_job j = find_outside_first()) return j;
  return pop(no_region);
}

/// The oldest job of its own deque, if it belongs to the region. Newer jobs of an inner region may
/// lie above it.
found_job job_finder::find_oldest_of_region(region only) noexcept {
  queued oldest{};
  if (self_.deque.steal_if(oldest, of_region(only)) != steal_status::taken) return {};
  return {oldest.word, only};
}

bool job_finder::pop(queued& newest, region only) noexcept {
  return only == no_region ? self_.deque.pop(newest) : self_.deque.pop_if(newest, of_region(only));
}

/// A job of the inbox, an urgent job, or, if it is their turn, a job from outside. Such a job may
/// also lie below local jobs in the deque, where a pop does not reach it: so every other turn takes
/// the oldest job of the deque. If the newest job of the deque comes from outside, the turn is
/// skipped: no outside job is kept waiting, and taking more would be out of order.
found_job job_finder::find_outside_first() noexcept {
  if (!self_.inbox.empty())
    if (job* j = find_in_inbox()) return {j};
  if (self_.home().queues.has_urgent_work())
    if (job* j = find_urgent()) return {j};
  if (!self_.turns.is_due(self_.tallies.jobs.read())) return {};
  self_.turns.begin_next(self_.tallies.jobs.read());
  // Jobs that a stolen job of a region has left here go first, too: a thread that waits in the
  // region may not reach them, and a job from outside may wait for what that thread holds.
  const auto goes_first = [](const queued& q) {
    return q.tag == from_outside || is_isolated(region_of(q.tag));
  };
  if (self_.deque.newest_is(goes_first)) return {};
  if (queued q{}; self_.turns.oldest_goes_first() && self_.deque.steal(q) == steal_status::taken)
    return {q.word, region_of(q.tag)};
  return {find_in_injector()};
}

/// Jobs that a take left in the injector were out of sight for a moment: a sleeper may have missed
/// them.
void job_finder::notify_of_outside_work() noexcept {
  if (self_.home().queues.has_work() && self_.home().wakes.sleeping().any_to_notify(false))
    (void)self_.home().wakes.wake_one_if_seat(&self_, no_region);
}

/// Jobs of the inbox, in the order in which they came.
job* job_finder::find_in_inbox() noexcept {
  listed_job* const first = self_.inbox.take();
  if (self_.inbox.has_rest()) self_.turns.always();
  return first;
}

/// One job of high priority. Not every time, so that other work goes on too. It is not counted
/// among the jobs until the next look outside, so that other work is shared as it is without urgent
/// jobs.
job* job_finder::find_urgent() noexcept {
  if (!self_.turns.urgent_goes_first()) return nullptr;
  job* const j = take_one(priority::high);
  if (j != nullptr) self_.turns.leave_out_one();  // run() counts it
  return j;
}

/// Takes one job, and none for the deque, where jobs of a priority would lose it.
job* job_finder::take_one(priority level) noexcept {
  listed_job* const first = self_.home().queues.take(level, 1);
  if (first == nullptr) return nullptr;
  self_.tallies.injector_takes.add();
  notify_of_outside_work();
  return first;
}

/// Submitted and installed jobs, in turn. Low priority comes last, except in every eighth look
/// (`low_turn`).
job* job_finder::find_in_injector() noexcept {
  self_.turns.begin_next(self_.tallies.jobs.read());
  if (!self_.home().queues.has_work()) {  // the usual case; turns go on
    (void)self_.turns.low_goes_first();
    (void)self_.turns.installed_goes_first();
    return nullptr;
  }
  if (self_.turns.low_goes_first())
    if (job* j = take_one(priority::low)) return j;
  const bool installed_first = self_.turns.installed_goes_first();
  if (installed_first)
    if (job* j = find_installed()) return j;
  if (job* j = find_submitted()) return j;
  if (!installed_first)
    if (job* j = find_installed()) return j;
  if (job* j = take_one(priority::low)) return j;
  return take_one(priority::high);  // if it was left out
}

job* job_finder::find_installed() noexcept {
  listed_job* const first = self_.home().queues.take_installed();
  if (first == nullptr) return nullptr;
  self_.tallies.injector_takes.add();
  notify_of_outside_work();
  return first;
}

/// One job of normal priority. It puts more of them into its deque, for others to steal; but not if
/// there is a steal_threshold, below which others would not steal them.
job* job_finder::find_submitted() noexcept {
  const bool one = self_.home().settings().steal_threshold > 1;
  listed_job* const first = self_.home().queues.take(priority::normal, one ? 1 : injector_batch);
  if (first == nullptr) return nullptr;
  self_.tallies.injector_takes.add();
  if (first->next == nullptr) {
    notify_of_outside_work();
    return first;
  }
  self_.turns.set_outside_in_deque(true);
  // The oldest last, so that it is the first to be popped.
  for (listed_job* rest = reversed(first->next); rest != nullptr;) {
    listed_job* const next = rest->next;
    self_.tallies.injector_takes.add();
    try {
      self_.push(rest, from_outside);
    } catch (const std::bad_alloc&) {
      self_.home().accepts.inject(rest);  // no memory here: back to where it was
    }
    rest = next;
  }
  return first;
}

/// Branches of joins further down this thread's stack, while a wait lies above them. The oldest
/// first, as for a thief: a join that finds its branch taken need not know that its own thread took
/// it.
found_job job_finder::find_in_own_branches(region only) noexcept {
  if (!my_branches.has_work()) return {};
  branch_slot* taken = nullptr;
  if (only == no_region) {
    my_branches.expose_all();
    (void)my_branches.steal(taken);
  } else {
    (void)my_branches.steal_if(taken, [only](const branch_slot& b) { return b.where() == only; });
  }
  return found(taken);
}

bool job_finder::has_own_work(region only) noexcept {
  do {
    if (has_own_work_of(only)) return true;
    only = call_limit::around(only);
  } while (only != no_region);
  return false;
}

bool job_finder::has_own_work_of(region only) noexcept {
  if (has_job_in_full_call()) return true;
  if (only == no_region) return !self_.inbox.empty() || self_.size_hint() != 0;
  const branch_slot* const oldest = my_branches.oldest_hint();
  return (oldest != nullptr && oldest->where() == only) || self_.deque.newest_is(of_region(only)) ||
         oldest_is(self_.deque, of_region(only));
}

bool job_finder::has_work_anywhere(region only) noexcept {
  self_.tallies.rounds.add();
  if (only == no_region && self_.home().queues.has_work()) return true;
  do {
    if (has_own_work_of(only) || others_have_work(only)) return true;
    only = call_limit::around(only);
  } while (only != no_region);
  return false;
}

bool job_finder::others_have_work(region where, bool outsider) const noexcept {
  const roster& all = self_.home().participants;
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i)
    if (worker& w = all[i]; &w != &self_ && w.has_work_for_thief(where, outsider)) return true;
  return false;
}

}  // namespace filch::detail
