// What a pool lets others see of it, and how it tells them that it is awake.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/sched/forks.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

/// The pools that there are. Made without code and never destroyed, like the other global things
/// that a fork may find in use: the child forgets it.
struct list {
  std::mutex mutex;
  registry* first = nullptr;
  registry* of_parent = nullptr;  // for leak checkers
};

constinit list pools;
static_assert(std::is_trivially_destructible_v<list>);

}  // namespace

void registry::enlist() noexcept {
  const std::scoped_lock lock(pools.mutex);
  registry** at = &pools.first;
  for (; *at != nullptr; at = &(*at)->next_listed_)
    if ((*at)->settings_.name == settings_.name)
      for (registry* const namesake : {*at, this})
        namesake->has_namesake_.store(true,
                                      std::memory_order_relaxed);  // orders nothing: for words
  *at = this;
  listed_ = true;
}

void registry::delist() noexcept {
  const std::scoped_lock lock(pools.mutex);
  if (!std::exchange(listed_, false)) return;
  registry** at = &pools.first;
  while (*at != this) at = &(*at)->next_listed_;
  *at = std::exchange(next_listed_, nullptr);
}

std::vector<std::shared_ptr<registry>> live_pools() {
  std::vector<std::shared_ptr<registry>> all;
  const std::scoped_lock lock(pools.mutex);
  for (registry* r = pools.first; r != nullptr; r = r->next_listed_)
    all.push_back(r->shared_from_this());
  return all;
}

void forget_pools() noexcept {
  std::construct_at(&pools.mutex);
  pools.of_parent = std::exchange(pools.first, nullptr);
}

std::size_t registry::injected_hint() const noexcept {
  std::uint64_t taken = 0;  // first, so that there are not more of them than were put in
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) taken += participant(i).tallies.injector_takes.read();
  const std::uint64_t outside =
      accepted_.load(std::memory_order_relaxed) / one_task;  // orders nothing: a hint
  const auto left = static_cast<std::int64_t>(outside - taken) +
                    injected_besides_.load(std::memory_order_relaxed);  // orders nothing: a hint
  return static_cast<std::size_t>(std::max<std::int64_t>(left, 0));
}

bool registry::is_asleep() const noexcept {
  if (is_inherited()) return true;
  const std::size_t n = roster_size();
  for (std::size_t i = 0; i < n; ++i) {
    const worker& w = participant(i);
    if (w.doing() != activity::sleeping && w.doing() != activity::absent) return false;
    if (w.size_hint(true) != 0) return false;
  }
  return !has_outside_work();
}

void registry::ring_when_up(bell& b) {
  {
    const std::scoped_lock lock(mutex_);
    if (std::find(bells_.begin(), bells_.end(), &b) == bells_.end()) bells_.push_back(&b);
    bells_wait_.store(true, std::memory_order_relaxed);  // ordered by the fences
  }
  heavy_fence();
}

void registry::forget_bell(bell& b) noexcept {
  const std::scoped_lock lock(mutex_);
  bells_.erase(&b);
  if (bells_.empty()) bells_wait_.store(false, std::memory_order_relaxed);  // orders nothing
}

void registry::ring_bells() noexcept {
  const std::scoped_lock lock(mutex_);
  bells_wait_.store(false, std::memory_order_relaxed);  // orders nothing: under mutex_
  for (bell* b : bells_) b->ring();
  bells_.clear();
}

}  // namespace filch::detail
