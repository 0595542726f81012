#include "filch/detail/sched/newest_first.hpp"

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

void newest_first::run(std::uint64_t first, const std::int64_t& left) noexcept {
  worker& self = self_;  // in a register: every task of a scope goes through this loop
  const region here = self.regions.current();
  ticks before = 0;
  while (left > 0) {
    if (self.distracted()) [[unlikely]] {
      if (!run_newest_or_other(first)) return;
      continue;
    }
    queued newest;  // NOLINT(*-member-init): filled by what comes next
    if (!self.deque.pop_since(first, newest)) return;
    if (newest.tag != here) [[unlikely]] {
      if (!run_tagged(newest)) return;
      continue;
    }
    self.tallies.jobs.add();
    if (tracing_now() != not_tracing) [[unlikely]]
      before = self.run_traced({newest.word, here}, before);
    else
      newest.word->run();
  }
}

/// One step of run() where the newest job may not be the next one, or may not run here.
/// False if there is no more to do.
bool newest_first::run_newest_or_other(std::uint64_t first) noexcept {
  if (static_cast<std::int64_t>(self_.deque.next_index() - first) <= 0) return false;
  if (help_outside()) return true;
  queued newest;  // NOLINT(*-member-init): filled by what comes next
  return self_.finder.pop(newest, self_.restriction()) && run_tagged(newest);
}

bool newest_first::run_tagged(queued newest) noexcept {
  if ((newest.tag & submitted) != 0) return run_as_help(newest);
  self_.run({newest.word, newest.tag});
  return true;
}

/// A job that lies above a scope's tasks, but is not one of them: the tasks, or jobs that they
/// helped with, submitted it. In the call of a guest it is left to others: the guest must not wait
/// for it. If the stack is full, it stays where it was.
bool newest_first::run_as_help(queued newest) noexcept {
  if (is_call(self_.regions.current())) {
    self_.home().accepts.inject(static_cast<listed_job*>(newest.word));
    return true;
  }
  if (self_.loop.stack_is_full()) {
    self_.push(newest.word, newest.tag);  // into the slot that it has just left: it cannot throw
    return false;
  }
  const run_loop::deeper help(self_.loop);
  self_.run({newest.word, region_of(newest.tag)});
  return true;
}

/// Runs a job that is urgent, or waits outside. It is not one of the scope's tasks, either.
bool newest_first::help_outside() noexcept {
  if (self_.is_guest()) self_.turns.begin_next(self_.tallies.jobs.read());  // outside has no turn
  const bool may = self_.restriction() == no_region && !is_call(self_.regions.current());
  if (!may || self_.loop.stack_is_full()) return false;
  const found_job j = self_.finder.find_outside_first();
  if (!j) return false;
  const run_loop::deeper help(self_.loop);
  self_.run(j);
  return true;
}

}  // namespace filch::detail
