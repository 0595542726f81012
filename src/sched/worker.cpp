// What every participant has: how it runs a job, and what thieves see of it.
#include "filch/detail/sched/worker.hpp"

#include <new>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit thread_local worker_front* worker_front::current_;
#endif

worker_front::worker_front(registry& home, std::size_t index)
    : regions(deque), sleepers_(home.wakes.sleeping()), home_(home), index_(index) {}

void worker_front::wake_another(region where) noexcept {
  (void)home_.wakes.wake_one_if_seat(static_cast<worker*>(this), where);
}

worker::worker(registry& home, std::size_t index, participant_kind kind, std::uint64_t seed)
    : worker_front(home, index),
      branches(kind == participant_kind::guest),
      random(seed),
      turns(home.queues.urgent()),
      kind_(kind) {}

worker::~worker() = default;

/// The job itself may end the trace, or begin another one.
ticks worker::run_traced(found_job j, ticks before) noexcept {
  const std::uint32_t session = tracing_now();
  const bool recorded = trace_job_begins(session, *this, before);
  run_where_it_belongs(j);
  return recorded ? trace_job_ends(session) : 0;
}

void worker::run_in_region(found_job j) noexcept {
  if (is_limited(j.where) && !call_limit::is_within(regions.current(), j.where))
    return run_in_limit(j);
  // A task that was submitted in the region where this thread is belongs to it.
  if (admits(regions.current(), j.where)) return j.what->run();
  run_in_call(j);
}

void worker::run_in_call(found_job j) noexcept {
  const bool restricted = restriction() != no_region;
  const region outer = regions.enter(j.where);
  j.what->run();
  restricted ? regions.end(outer) : regions.leave(outer);
}

/// Enters the limited call of a job, and the limited calls around that, and runs the job; or leaves
/// it with the threads of the call. If the call has ended, the job belongs to no call.
void worker::run_in_limit(found_job j) noexcept {
  call_limit::entry what = call_limit::entry::ended;
  places held;
  const bool enters = enter_limits_around(j.where, held);
  call_limit& limit = *call_limit::of(j.where);
  try {
    what = enters ? limit.enter_with(j.where, j.what, home())
                  : limit.leave_job(j.where, j.what, home());
  } catch (const std::bad_alloc&) {
    // One thread too many is better than a job too few.
  }
  if (what == call_limit::entry::enters) {
    for (found_job next = j; next; next = limit.next_or_leave(j.where)) run_in_call(next);
  } else if (what == call_limit::entry::waits) {
    light_fence();  // P2
    home().wakes.wake_all_in(j.where);
  }
  while (held.count > 0) {
    const region around = held.where[--held.count];
    while (const found_job next = call_limit::of(around)->next_or_leave(around)) run_in_call(next);
  }
  if (what == call_limit::entry::ended) run_where_it_belongs({j.what});
}

/// Takes a place in each limited call around that of region `r` that the thread is not in. False if
/// one of them is full.
bool worker::enter_limits_around(region r, places& held) noexcept {
  places all;
  for (region a = call_limit::limited_around(r);
       a != no_region && !call_limit::is_within(regions.current(), a);
       a = call_limit::limited_around(a))
    if (all.count < most_places) all.where[all.count++] = a;
  while (all.count > 0) {
    const region a = all.where[--all.count];
    if (!call_limit::of(a)->enter(a)) return false;
    held.where[held.count++] = a;
  }
  return true;
}

void worker::clear_before_leaving() noexcept {
  queued newest{};
  while (deque.pop(newest)) {
    if (is_isolated(region_of(newest.tag)) || home().size() == 0)
      run({newest.word, region_of(newest.tag)});
    else
      home().accepts.inject(static_cast<listed_job*>(newest.word));
  }
}

bool worker::may_be_stolen_from(bool outsider) const noexcept {
  return size_hint(outsider) >= (state.is_absent() ? 1 : home().settings().steal_threshold);
}

bool worker::has_work_for_thief(region r, bool outsider) noexcept {
  if (!may_be_stolen_from(outsider)) return false;
  if (r == no_region) return true;
  bool some = oldest_is(deque, of_region(r));
  branches.visit(outsider, [&](const branch_stack& b) {
    const branch_slot* const first = b.oldest_hint();
    if (first != nullptr && first->where() == r) some = true;
  });
  return some;
}

}  // namespace filch::detail
