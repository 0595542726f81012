// What every participant has: how it runs a job, and what thieves see of it.
#include "filch/detail/sched/worker.hpp"

#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit thread_local worker_front* worker_front::current_;
#endif

worker_front::worker_front(registry& home, std::size_t index, outside_turns& turns)
    : regions(deque, turns), sleepers_(home.wakes.sleeping()), home_(home), index_(index) {}

void worker_front::wake_another(region where) noexcept {
  (void)home_.wakes.wake_one(static_cast<worker*>(this), waker::wanted::anybody, where);
}

worker::worker(registry& home, std::size_t index, participant_kind kind, std::uint64_t seed)
    : worker_front(home, index, turns),
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
  const std::uint64_t turn = turns.save();
  const std::uint64_t jobs = tallies.jobs.read();
  const region outer = regions.enter(j.where);
  j.what->run();
  outer == no_region ? regions.leave(outer) : regions.end(outer);
  if (outer == no_region) turns.restore(turn, tallies.jobs.read() - jobs);
}

void worker::clear_before_leaving() noexcept {
  queued newest{};
  while (deque.pop(newest)) {
    if (region_of(newest.tag) == no_region)
      home().accepts.inject(static_cast<listed_job*>(newest.word));
    else
      run({newest.word, region_of(newest.tag)});
  }
}

bool worker::may_be_stolen_from() const noexcept {
  return size_hint() >= (state.is_absent() ? 1 : home().settings().steal_threshold);
}

bool worker::has_work_for_thief(region r) noexcept {
  if (!may_be_stolen_from()) return false;
  if (r == no_region) return true;
  bool some = oldest_is(deque, of_region(r));
  branches.visit(false, [&](const branch_stack& b) {
    const branch_slot* const first = b.oldest_hint();
    if (first != nullptr && first->where() == r) some = true;
  });
  return some;
}

}  // namespace filch::detail
