// The index and the pool of the calling worker.
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

}  // namespace this_worker
}  // namespace filch
