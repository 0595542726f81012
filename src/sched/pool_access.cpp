#include "filch/detail/sched/pool_access.hpp"

#include <string>

#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

/// Calls accept(), which submits to `home`. False if `home` has retired or has no workers: then the
/// caller does the work. Tasks of a pool with workers may submit to the end.
template <class Accept>
bool accepted_unless_retired(registry& home, Accept accept) {
  if (home.size() == 0) {
    home.accepts.require_open();
    return false;
  }
  if (home.accepts.retired() && !home.is_current()) return false;
  try {
    accept(home.accepts);
    return true;
  } catch (const pool_closed&) {
    if (home.accepts.retired()) return false;  // it did so just now
    throw;
  }
}

}  // namespace

std::size_t worker_count(const registry& home) noexcept { return home.size(); }

std::size_t most_slots(const registry& home) noexcept {
  return home.size() + home.settings().max_spares + home.settings().max_guests;
}

void limit_threads(registry& home, std::size_t threads) {
  if (threads > home.size())
    throw usage_error("filch::pool::limit(): " + std::to_string(threads) +
                      " threads are more than " + title(home) + " has workers; 1 to " +
                      std::to_string(home.size()) + " are possible, and 0 means all");
  home.require_threads();
  home.seating.set_count(threads == 0 ? home.size() : threads);
}

void require_workers(const registry& home, const char* who) {
  if (home.size() == 0)
    throw usage_error(std::string("filch::") + who + "(): " + title(home) +
                      " has no workers (its threads are filch::none), so no thread would begin the "
                      "task at its time. Use a pool with workers (options::on).");
}

bool is_participant(const registry& home) noexcept { return home.is_current(); }

bool installs_in_place(const registry& home) noexcept {
  return home.accepts.retired() || home.size() == 0 || home.is_current();
}

bool submit_unless_retired(registry& home, listed_job* task, priority level,
                           reservation* admitted) {
  return accepted_unless_retired(
      home, [&](intake& to) { to.submit_chain(task, task, 1, level, admitted); });
}

bool submit_beyond_limit_unless_retired(registry& home, listed_job* task, priority level) {
  return accepted_unless_retired(home, [&](intake& to) { to.submit_beyond_limit(task, level); });
}

bool submit_chain_unless_retired(registry& home, listed_job* first, listed_job* last,
                                 std::size_t count) {
  return accepted_unless_retired(home, [&](intake& to) { to.submit_chain(first, last, count); });
}

bool submit_to_worker_unless_retired(registry& home, listed_job* task) {
  return accepted_unless_retired(home, [&](intake& to) { to.submit_to_worker(task); });
}

bool submit_to_each_unless_retired(registry& home, std::span<listed_job* const> tasks) {
  return accepted_unless_retired(home, [&](intake& to) { to.submit_to_each(tasks); });
}

awaited_task::wait_key wait_key_for(const registry& home, bool into_deque) noexcept {
  return home.accepts.wait_key(into_deque);
}

void task_ended() noexcept {
  worker* const w = worker::current();
  if (w == nullptr) [[unlikely]]
    went_on_after_fork();
  w->tasks.close();
  // First the waiters: there are rarely any, and each submission writes to the queues. A look at
  // the usual two queues is enough: if another one has work, found_nothing() only finds that the
  // pool is not idle.
  registry& home = w->home();
  if (home.idle.has_waiters() && home.queues.usual_are_empty()) [[unlikely]]
    home.found_nothing();
}

const void* pool_of_this_task() noexcept {
  const worker* const w = worker::current();
  return w != nullptr ? &w->home() : nullptr;
}

registry& home_of_this_task() noexcept { return worker::current()->home(); }

reservation::reservation(registry& home)
    : home_(home),
      needed_(home.accepts.needs_admission()),
      held_(needed_ && home.accepts.try_admit()) {}

reservation::~reservation() {
  if (held_) home_.accepts.release_admission();
}

}  // namespace filch::detail
