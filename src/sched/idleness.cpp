// When a pool is idle, and who is told. README.md has the argument.
#include <mutex>
#include <utility>
#include <vector>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

/// Has everything been finished that `accepted`, which is set, and the accounts say was accepted?
bool registry::settled(std::uint64_t& accepted) const noexcept {
  std::uint64_t closed = 0;
  const std::size_t before = roster_size();
  for (std::size_t i = 0; i < before; ++i) closed += participant(i).tasks.closed();
  accepted = accepted_.load(std::memory_order_acquire);  // [close]
  std::uint64_t opened = accepted / one_task;
  const std::size_t after = roster_size();
  for (std::size_t i = 0; i < after; ++i) opened += participant(i).tasks.opened();
  return closed == opened;
}

/// Is everything accepted finished? Then tells whoever waits for that.
void registry::settle() noexcept {
  full_fence();  // two workers that finish the last two tasks must not both miss the other
  std::uint64_t accepted = 0;
  if (!settled(accepted)) return;
  const std::scoped_lock lock(mutex_);
  // Before the sums, so that what a guest accepted before it left is in them. None can enter
  // meanwhile.
  const bool no_guests = guests_.load(std::memory_order_acquire) == 0;  // [leave]
  if (!settled(accepted)) return;
  for (latch* l : idle_waiters_) {
    watchers_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: a count
    latch::set(*l);
  }
  idle_waiters_.clear();
  // The bit is in the very word whose count has been settled: nothing was accepted in between.
  const bool closed = (accepted & closed_bit) != 0;
  if (closed && no_guests && !stopped()) {
    stopped_.store(true, std::memory_order_release);  // [stop]
    heavy_fence();
    wake_all();
    spare_is_called_.notify_all();
    if (latch* const l = std::exchange(stop_waiter_, nullptr)) latch::set(*l);
  }
}

bool registry::wait_idle_until(clock::time_point deadline) {
  require_threads();
  if (is_current())
    throw usage_error("filch::pool::wait_idle() was called by a worker of " + title() +
                      ": it would wait for the task that calls it. Use a scope to wait for tasks "
                      "inside a task.");
  latch idle_now;
  {
    const std::scoped_lock lock(mutex_);
    idle_waiters_.push_back(&idle_now);
  }
  watchers_.fetch_add(1, std::memory_order_relaxed);  // ordered by the fences
  heavy_fence();
  settle();
  if (wait_for_until(idle_now, deadline)) return true;
  const std::scoped_lock lock(mutex_);
  if (idle_waiters_.erase(&idle_now) == 0) return true;  // set at the last moment
  watchers_.fetch_sub(1, std::memory_order_relaxed);     // orders nothing: a count
  return false;
}

}  // namespace filch::detail
