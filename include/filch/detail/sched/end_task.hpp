// The end of a task that a pool has accepted.
#pragma once

#include "filch/detail/base/sanitizer.hpp"

namespace filch::detail {

/// An accepted task has run, on the calling thread. Header code calls end_task().
void task_ended() noexcept;
/// The pool that the calling thread takes part in, or null.
const void* pool_of_this_task() noexcept;
/// The same as task_ended(), and ThreadSanitizer knows what wait_idle() waits for.
inline void end_task() noexcept {
  if constexpr (tells_tsan) tsan_release(pool_of_this_task());
  task_ended();
}

}  // namespace filch::detail
