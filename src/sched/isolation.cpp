#include "filch/detail/sched/isolation.hpp"

#include <atomic>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

region new_region() noexcept {
  if (const region here = region_here(); is_limited(here)) return call_limit::isolated_inside(here);
  return new_unlimited_region();
}

region new_unlimited_region() noexcept {
  static std::atomic<region> next{no_region + 1};
  return next.fetch_add(1, std::memory_order_relaxed);  // orders nothing: only to be different
}

namespace {

/// Does the calling thread still have the slot `slot`? In a child of fork() it does not: the pool,
/// with its locks as they were at that moment, is the parent's. False if there is no slot.
bool still_at(const worker* slot) noexcept { return slot != nullptr && slot == worker::current(); }

/// Where a thread without a slot is.
constinit thread_local region outside = no_region;

}  // namespace

void leave_region_by_fork() noexcept { outside = no_region; }

region region_here() noexcept {
  const worker* const w = worker::current();
  return w != nullptr ? w->regions.current() : outside;
}

region region_of_call() noexcept { return outside != no_region ? outside : new_call(); }

in_region::in_region(region r) noexcept : slot_(worker::current()) {
  outer_ = slot_ != nullptr ? slot_->regions.enter(r) : std::exchange(outside, r);
}

in_region::~in_region() {
  if (slot_ == nullptr)
    outside = outer_;
  else if (still_at(slot_))
    slot_->regions.end(outer_);
}

while_blocked::while_blocked() noexcept : slot_(worker::current()) {
  if (slot_ == nullptr) return;
  const hidden_from_sanitizers hidden;
  (void)slot_->away.begin(without_spare::block);
  slot_->away.set_blocked(true);
}

while_blocked::~while_blocked() {
  if (!still_at(slot_)) return;
  const hidden_from_sanitizers hidden;
  slot_->away.set_blocked(false);
  slot_->away.end();
  // No wait for a seat: the thread may hold a lock that the threads with seats want.
}

}  // namespace filch::detail
