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

}  // namespace

bool idle_detector::is_settled() const noexcept {
  return all_closed(accounts{all_}, [&] { return accepts_.accepted().tasks; });
}

bool idle_detector::settle() noexcept {
  full_fence();  // two workers that finish the last two tasks must not both miss the other
  if (!is_settled()) return false;
  const std::scoped_lock lock(mutex_);
  // Read before the sums, so that they include what a guest submitted before it left, and what was
  // opened before the pool was closed.
  const bool no_guests = guests_.load(std::memory_order_acquire) == 0;  // [leave]
  const bool final = final_.load(std::memory_order_acquire);            // [final]
  if (!is_settled()) return false;
  for (latch* const l : idle_waiters_) {
    waiters_.fetch_sub(1, std::memory_order_relaxed);  // orders nothing: a count
    latch::set(*l);
  }
  idle_waiters_.clear();
  if (!final || !no_guests || stopped()) return false;
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
  heavy_fence();                                     // intake's [open]
  final_.store(true, std::memory_order_release);     // [final]
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
  guests_.fetch_add(1, std::memory_order_relaxed);  // orders nothing: settle() has the mutex too
  expect_guests();
  return true;
}

}  // namespace filch::detail
