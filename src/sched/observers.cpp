#include "filch/detail/sched/observers.hpp"

#include <algorithm>
#include <cstddef>

#include "filch/detail/sched/outside_queues.hpp"
#include "filch/detail/sched/roster.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

bool observers::is_asleep() const noexcept {
  const std::size_t n = all_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const worker& w = all_[i];
    if (w.state.doing() != activity::sleeping && w.state.doing() != activity::absent) return false;
    if (w.size_hint(true) != 0) return false;
  }
  return !queues_.has_work();
}

void observers::notify_when_awake(auto_reset_event& e) {
  {
    const std::scoped_lock lock(mutex_);
    if (std::find(events_.begin(), events_.end(), &e) == events_.end()) events_.push_back(&e);
    any_wait_.store(true, std::memory_order_relaxed);  // ordered by the fences
  }
  heavy_fence();
}

void observers::forget(auto_reset_event& e) noexcept {
  const std::scoped_lock lock(mutex_);
  std::erase(events_, &e);
  if (events_.empty()) any_wait_.store(false, std::memory_order_relaxed);  // orders nothing
}

void observers::notify() noexcept {
  const std::scoped_lock lock(mutex_);
  any_wait_.store(false, std::memory_order_relaxed);  // orders nothing: under mutex_
  for (auto_reset_event* const e : events_) e->set();
  events_.clear();
}

}  // namespace filch::detail
