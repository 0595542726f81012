// The index, the pool and the slot of the calling thread.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <optional>

namespace filch {

class pool;

namespace this_worker {

/// Returns the index of the calling worker in its pool, from 0. Returns nothing on a thread that is
/// not a worker, also while that thread takes part in a pool as a guest. The index stays the same
/// for as long as the thread lives. In a child of fork() the thread is not a worker, even if a
/// worker called fork().
///
///     if (auto i = filch::this_worker::index()) std::printf("worker %zu\n", *i);
[[nodiscard]] std::optional<std::size_t> index() noexcept;

/// Returns the pool of the calling worker; null on a thread that is not a worker.
[[nodiscard]] filch::pool* pool() noexcept;

/// Does the calling thread take part in a pool? True on workers, spares and guests; false on a
/// thread outside of every pool that is in no call of filch. A guest is one in loops of every
/// length, also in those that filch does not divide. A thread beyond pool_options::max_guests works
/// alone: it does not take part. In a loop that filch does not divide, the first call takes a slot
/// for the thread, as slot() does.
[[nodiscard]] bool takes_part() noexcept;

/// Returns a number for the calling thread, if it takes part in a pool. The number is below
/// `pool::max_slots()`, and no two threads of a pool have the same at once. A worker's number is
/// its index. A guest has its number for one call, and later another thread may have it; its number
/// may change during the call. Returns nothing if the thread does not take part, and on a guest
/// beyond pool_options::max_guests.
///
///     std::vector<counter> counts(filch::default_pool().max_slots());
///     filch::parallel_for(0, n, [&](int) { ++counts[*filch::this_worker::slot()].value; });
[[nodiscard]] std::optional<std::size_t> slot() noexcept;

}  // namespace this_worker
}  // namespace filch
