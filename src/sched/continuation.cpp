// Where a continuation runs.
#include "filch/detail/sched/continuation.hpp"

#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/awaiting.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/pool_list.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

/// The continuations that no pool takes, and that one thread runs. Each is notified by the one
/// before. So they nest on the stack, up to a limit; then they wait for their turn in a list.
struct lone_continuations {
  static constexpr int most_nested = 32;

  void run(continuation& c) noexcept {
    if (nested == most_nested) return put_last(c);
    run_nested(c);
    if (nested == most_nested - 1) run_all_in_list();
  }
  void run_nested(continuation& c) noexcept {
    const shown_to_sanitizers shown;
    ++nested;
    c.run_here();
    --nested;
  }
  void run_all_in_list() noexcept {
    while (first != nullptr) {
      listed_job* const c = first;
      first = c->next;
      run_nested(static_cast<continuation&>(*c));
    }
  }
  void put_last(continuation& c) noexcept {
    c.next = nullptr;
    (first == nullptr ? first : last->next) = &c;
    last = &c;
  }

  int nested = 0;
  listed_job* first = nullptr;
  listed_job* last = nullptr;
};

constinit thread_local lone_continuations lone;

}  // namespace

continuations_in_wait::continuations_in_wait() noexcept
    : nested_before_(std::exchange(lone.nested, lone_continuations::most_nested - 1)) {
  lone.run_all_in_list();
  lone.nested = 0;
}

continuations_in_wait::~continuations_in_wait() { lone.nested = nested_before_; }

chosen_pool::~chosen_pool() = default;

chosen_pool chosen_pool::of_number(std::uint32_t n) noexcept {
  return {n == 0 ? nullptr : find_live_pool(n - 1)};
}

std::uint32_t chosen_pool::number() const noexcept { return home == nullptr ? 0 : home->id() + 1; }

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
    // A guest leaves it to others, as all that is submitted in its call (intake::submit_chain). In
    // the guest's deque it would hide jobs of that call.
    if (w->is_guest() && !is_isolated(w->regions.current())) return w->home().accepts.inject(this);
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
  lone.run(*this);
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
