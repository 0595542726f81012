#include "filch/detail/sched/pool_list.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "filch/detail/base/one_per_process.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

constinit one_per_process<registry> pools;  // the first of the live ones

constinit std::atomic<registry*> left_to_parent{nullptr};  // for leak checkers: never read

}  // namespace

void add_live_pool(registry& home) noexcept {
  const std::scoped_lock lock(pools.mutex);
  registry** at = &pools.it;
  for (; *at != nullptr; at = &(*at)->links.next_live)
    if ((*at)->settings().name == home.settings().name)
      for (registry* const namesake : {*at, &home})
        namesake->links.has_namesake.store(true, std::memory_order_relaxed);  // orders nothing
  *at = &home;
  home.links.is_live = true;
}

void remove_live_pool(registry& home) noexcept {
  const std::scoped_lock lock(pools.mutex);
  if (!std::exchange(home.links.is_live, false)) return;
  registry** at = &pools.it;
  while (*at != &home) at = &(*at)->links.next_live;
  *at = std::exchange(home.links.next_live, nullptr);
}

std::vector<std::shared_ptr<registry>> live_pools() {
  std::vector<std::shared_ptr<registry>> all;
  const std::scoped_lock lock(pools.mutex);
  for (registry* r = pools.it; r != nullptr; r = r->links.next_live)
    all.push_back(r->shared_from_this());
  return all;
}

std::shared_ptr<registry> find_live_pool(std::uint32_t id) noexcept {
  const std::scoped_lock lock(pools.mutex);
  for (registry* r = pools.it; r != nullptr; r = r->links.next_live)
    if (r->id() == id) return r->weak_from_this().lock();
  return nullptr;
}

void forget_pools() noexcept { pools.forget(); }

void leave_to_parent(registry& inherited) noexcept {
  pool_links& links = inherited.links;
  links.kept = inherited.shared_from_this();
  links.next_left_to_parent =
      left_to_parent.load(std::memory_order_relaxed);  // orders nothing: retried below
  while (!left_to_parent.compare_exchange_weak(links.next_left_to_parent, &inherited,
                                               std::memory_order_relaxed)) {  // orders nothing
  }
}

}  // namespace filch::detail
