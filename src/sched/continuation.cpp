// Where a continuation runs.
#include "filch/detail/sched/continuation.hpp"

#include <exception>
#include <memory>
#include <new>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/pool_list.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

chosen_pool::~chosen_pool() = default;

chosen_pool chosen_pool::of_number(std::uint32_t n) noexcept {
  return {n == 0 ? nullptr : find_live_pool(n - 1)};
}

std::uint32_t pool_number_here() noexcept {
  const worker* const w = worker::current();
  return w == nullptr ? 0 : w->home().id() + 1;
}

void chosen_pool::choose_current() noexcept {
  if (worker* const w = worker::current()) home = w->home().shared_from_this();
}

void continuation::start_late_given(std::uint32_t pool) noexcept {
  const chosen_pool where = chosen_pool::of_number(pool);
  start_given(where.home != nullptr ? &where : nullptr);
}

/// The task that notifies it is counted until after this, so the pool is not idle in between and
/// cannot stop. But on_stop hooks come later than that, and are treated like outside threads.
void continuation::start_given(const chosen_pool* where) noexcept {
  worker* const w = worker::current();
  if (w != nullptr && w->home().size() != 0 && !w->home().stopped() &&
      (where == nullptr || where->home.get() == &w->home())) {
    w->tasks.open();
    try {
      w->push_submitted(this);
      w->spawned.add();
    } catch (const std::bad_alloc&) {
      w->home().accepts.inject(this);
    }
    return;
  }
  try {
    // Kept here: once it is submitted, this object may be gone, and `where` with it.
    const std::shared_ptr<registry> home = where == nullptr         ? current_registry()
                                           : where->home != nullptr ? where->home
                                                                    : default_registry();
    if (submit_beyond_limit_unless_retired(*home, this)) return;
  } catch (...) {  // no such pool, or one that takes nothing
  }
  const shown_to_sanitizers shown;
  run_here();
}

void resumption::run_here() noexcept {
  // This object lies in the frame of the coroutine, which may be gone when that pauses or ends.
  try {
    resume_(frame_);
  } catch (...) {
    report_exception(*current_registry(), std::current_exception());
  }
}

}  // namespace filch::detail
