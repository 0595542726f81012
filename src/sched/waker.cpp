#include "filch/detail/sched/waker.hpp"

#include <cstddef>
#include <cstdint>

#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/roster.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

/// Does `is` hold for region `only`, or for one whose jobs a thread may run that sleeps in `only`?
/// As job_finder::find() looks.
template <class Is>
bool holds_in_or_around(region only, Is is) noexcept {
  do {
    if (is(only)) return true;
    only = call_limit::around(only);
  } while (only != no_region);
  return false;
}

}  // namespace

bool waker::wake_one(worker* by, region where) noexcept {
  const auto n = static_cast<std::uint32_t>(all_.size());
  const std::uint32_t start = by != nullptr ? by->random.bounded(n) : 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    worker& w = all_[(start + i) % n];
    if (&w == by) continue;
    const region only = w.state.sleeps_in();
    const auto may_run_it = [where](region r) { return r == no_region || admits(r, where); };
    if (holds_in_or_around(only, may_run_it) && wake(w, by)) return true;
  }
  return false;
}

void waker::wake_one_that_can_steal(worker* by) noexcept {
  const std::size_t n = all_.size();
  const bool outsider = by == nullptr;  // the pool's threads may end meanwhile
  bool some = false;
  for (std::size_t i = 0; i < n && !some; ++i)
    some = all_[i].has_work_for_thief(no_region, outsider);
  if (some && !sleeping_.may_wake_for_others()) return;
  for (std::size_t i = 0; i < n && some; ++i) {
    worker& w = all_[i];
    if (&w == by) continue;
    const auto has_work = [&](region r) {
      return r == no_region || w.finder.others_have_work(r, outsider);
    };
    if (holds_in_or_around(w.state.sleeps_in(), has_work) && wake(w, by)) return;
  }
}

bool waker::wake(worker& sleeper, worker* by) noexcept {
  if (!sleeping_.wake(sleeper.loop.idle_parker())) return false;
  if (by != nullptr) by->tallies.wakes.add();
  if (tracing_now() != not_tracing) trace_wake(sleeper);
  return true;
}

void waker::wake_all_in(region where) noexcept {
  const std::size_t n = all_.size();
  for (std::size_t i = 0; i < n; ++i)
    if (worker& w = all_[i]; w.regions.current() == where) {
      (void)wake(w, nullptr);
      w.away.standby_parker().unpark();
    }
}

void waker::wake_all() noexcept {
  const std::size_t n = all_.size();
  for (std::size_t i = 0; i < n; ++i) (void)sleeping_.wake(all_[i].loop.idle_parker());
}

}  // namespace filch::detail
