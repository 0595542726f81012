#include "filch/detail/sched/isolation.hpp"

#include <atomic>

#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

region new_region() noexcept {
  static std::atomic<region> next{no_region + 1};
  return next.fetch_add(1, std::memory_order_relaxed);  // orders nothing: only to be different
}

namespace {

/// Has the calling thread still the slot `place`? In a child of fork() it has not: the pool, with
/// its locks as they were at that moment, is the parent's. False if there is no slot.
bool still_at(const worker* place) noexcept {
  return place != nullptr && place == worker::current();
}

}  // namespace

in_region::in_region(region r) noexcept : place_(worker::current()) {
  if (place_ != nullptr) outer_ = place_->enter_region(r);
}

in_region::~in_region() {
  if (still_at(place_)) place_->end_region(outer_);
}

while_blocked::while_blocked() noexcept : place_(worker::current()) {
  if (place_ == nullptr) return;
  (void)place_->begin_absence(without_spare::block);
  place_->set_blocked(true);
}

while_blocked::~while_blocked() {
  if (!still_at(place_)) return;
  place_->set_blocked(false);
  place_->end_absence();
}

}  // namespace filch::detail
