#include "filch/detail/sched/idle_detector.hpp"

#include <cstddef>
#include <utility>

#include "filch/detail/sched/intake.hpp"
#include "filch/detail/sched/roster.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

/// The accounts of all participants.
struct accounts {
  const roster& of;
  std::size_t size() const noexcept { return of.size(); }
  const account& operator[](std::size_t i) const noexcept { return of[i].tasks; }
};

/// Has every task ended that was opened, by the accounts and from outside? Sets `accepted`.
bool all_ended(const roster& all, const intake& accepts,
               intake::accepted_count& accepted) noexcept {
  return all_closed(accounts{all}, [&] {
    accepted = accepts.accepted();
    return accepted.tasks;
  });
}

}  // namespace

bool idle_detector::is_settled() const noexcept {
  intake::accepted_count accepted{};
  return all_ended(all_, accepts_, accepted);
}

bool idle_detector::settle() noexcept {
  full_fence();  // two workers that finish the last two tasks must not both miss the other
  intake::accepted_count accepted{};
  if (!all_ended(all_, accepts_, accepted)) return false;
  const std::scoped_lock lock(mutex_);
  // Read before the sums, so that they include what a guest submitted before it left.
  const bool no_guests = guests_.load(std::memory_order_acquire) == 0;  // [leave]
  if (!all_ended(all_, accepts_, accepted)) return false;
  for (latch* const l : idle_waiters_) {
    waiters_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: a count
    latch::set(*l);
  }
  idle_waiters_.clear();
  // The closed bit is in the same word as the count in the sums: nothing was accepted in between.
  if (!accepted.closed || !no_guests || stopped()) return false;
  stopped_.store(true, std::memory_order_release);  // [stop]
  heavy_fence();
  return true;
}

void idle_detector::add(latch& idle) {
  {
    const std::scoped_lock lock(mutex_);
    idle_waiters_.push_back(&idle);
    waiters_.fetch_add(1, std::memory_order_relaxed);  // ordered by the fences
  }
  heavy_fence();
}

bool idle_detector::remove(latch& idle) noexcept {
  const std::scoped_lock lock(mutex_);
  if (std::erase(idle_waiters_, &idle) == 0) return false;
  waiters_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: a count
  return true;
}

void idle_detector::begin_stop() noexcept {
  waiters_.fetch_add(1, std::memory_order_relaxed);  // ordered by the fences
  heavy_fence();
}

bool idle_detector::notify_of_stop(latch& ended) noexcept {
  const std::scoped_lock lock(mutex_);
  if (stopped()) return false;
  stop_waiter_ = &ended;
  return true;
}

void idle_detector::stop_is_known() noexcept {
  const std::scoped_lock lock(mutex_);
  if (latch* const l = std::exchange(stop_waiter_, nullptr)) latch::set(*l);
}

bool idle_detector::enter_guest() noexcept {
  const std::scoped_lock lock(mutex_);
  if (stopped()) return false;
  guests_.fetch_add(1, std::memory_order_relaxed);     // orders nothing: settle() has the mutex too
  had_guests_.store(true, std::memory_order_relaxed);  // ordered by the fences
  return true;
}

}  // namespace filch::detail
