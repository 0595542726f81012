#include "filch/detail/sched/isolation.hpp"

#include <atomic>

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

region new_region() noexcept {
  static std::atomic<region> next{no_region + 1};
  return next.fetch_add(1, std::memory_order_relaxed);  // orders nothing: only to be different
}

in_region::in_region(region r) noexcept : place_(worker::current()) {
  if (place_ != nullptr) outer_ = place_->enter_region(r);
}

in_region::~in_region() {
  if (place_ != nullptr) place_->end_region(outer_);
}

while_blocked::while_blocked() noexcept : place_(worker::current()) {
  if (place_ == nullptr) return;
  if (!place_->is_guest()) (void)place_->home().begin_blocking(registry::without_spare::block);
  place_->go_away();
}

while_blocked::~while_blocked() {
  if (place_ == nullptr) return;
  place_->come_back();
  if (!place_->is_guest()) place_->home().end_blocking();
}

}  // namespace filch::detail
