// The pools that there are in this process.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace filch::detail {

class registry;

/// How a pool is linked into the lists of all pools. pool_list.cpp alone uses it.
struct pool_links {
  registry* next_live = nullptr;            // under the lock of the list
  bool is_live = false;                     // the same
  std::atomic<bool> has_namesake{false};    // a pool of the same name was live at the same time
  std::shared_ptr<registry> kept;           // itself, after leave_to_parent()
  registry* next_left_to_parent = nullptr;  // the same
};

/// Adds a pool to those of live_pools(), and removes it. Any thread.
void add_live_pool(registry& home) noexcept;
void remove_live_pool(registry& home) noexcept;

/// All pools whose threads have not ended, in the order in which they were made. Any thread. Throws
/// `std::bad_alloc`.
std::vector<std::shared_ptr<registry>> live_pools();

/// The one with this registry::id(); null if there is none. Any thread.
std::shared_ptr<registry> find_live_pool(std::uint32_t id) noexcept;

/// Keeps an inherited pool for ever, after its `filch::pool` is gone: destroying it would join
/// threads that do not exist, and free what only they could finish.
void leave_to_parent(registry& inherited) noexcept;

}  // namespace filch::detail
