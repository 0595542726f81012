// Free functions that submit to the current pool, or else to the default pool.
#pragma once

#include "filch/detail/base/config.hpp"

#include <type_traits>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/future.hpp"
#include "filch/options.hpp"
#include "filch/pool.hpp"

namespace filch {

/// Submits `f` like pool::submit(), to the pool `o.on`; if that is null, to the current pool, or
/// else to the default pool.
template <detail::task_function F>
auto submit(F&& f, const options& o = {}) -> future<std::invoke_result_t<std::decay_t<F>&>> {
  detail::require_supported(o, "submit");
  return future<std::invoke_result_t<std::decay_t<F>&>>(
      detail::submit_to<std::decay_t<F>>(detail::home_for(o.on), std::forward<F>(f), o, "submit"));
}

/// Submits `f` like pool::detach(), to the pool `o.on`; if that is null, to the current pool, or
/// else to the default pool.
template <detail::task_function F>
void detach(F&& f, const options& o = {}) {
  detail::require_supported(o, "detach");
  detail::detach_to<std::decay_t<F>>(detail::home_for(o.on), std::forward<F>(f), o, "detach");
}

FILCH_REFUSED_TASK(submit);
FILCH_REFUSED_TASK(detach);
FILCH_REFUSED_OPTIONS_BEFORE_TASK(submit);
FILCH_REFUSED_OPTIONS_BEFORE_TASK(detach);

namespace detail {

/// Waits until current_registry() is idle. Returns its address.
const void* wait_for_idle_pool();

}  // namespace detail

/// Waits like pool::wait_idle() for the current pool, or else for the default pool. On a worker it
/// throws `usage_error`, because the worker would wait for its own pool.
/// Throws  also what default_pool() throws.
inline void wait_idle() {
  detail::tsan_acquire(detail::call_hidden<&detail::wait_for_idle_pool>());
}

}  // namespace filch
