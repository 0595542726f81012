// Which worker of which pool is running this.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <optional>

namespace filch {

class pool;

namespace this_worker {

/// The index of the calling worker in its pool, from 0; nothing on a thread that is not a worker,
/// also not while it takes part in a pool. Steady for as long as the thread lives; but in a child
/// of fork() its thread is no worker, whoever called fork().
///
///     if (auto i = filch::this_worker::index()) std::printf("worker %zu\n", *i);
[[nodiscard]] std::optional<std::size_t> index() noexcept;

/// The pool of the calling worker; null on a thread that is not a worker.
[[nodiscard]] filch::pool* pool() noexcept;

}  // namespace this_worker
}  // namespace filch
