// Submitting to whichever pool is at hand.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/future.hpp"
#include "filch/options.hpp"
#include "filch/pool.hpp"

namespace filch {

/// pool::submit() on `o.on`; without one on the current pool, else on the default one.
template <detail::task_function F>
auto submit(F&& f, const options& o = {}) -> future<std::invoke_result_t<std::decay_t<F>&>> {
  detail::require_supported(o, "submit");
  return future<std::invoke_result_t<std::decay_t<F>&>>(
      detail::submit_to<std::decay_t<F>>(detail::home_for(o.on), std::forward<F>(f), o, "submit"));
}

/// pool::detach() on `o.on`; without one on the current pool, else on the default one.
template <detail::task_function F>
void detach(F&& f, const options& o = {}) {
  detail::require_supported(o, "detach");
  detail::detach_to<std::decay_t<F>>(detail::home_for(o.on), std::forward<F>(f), o, "detach");
}

FILCH_REFUSED_TASK(submit);
FILCH_REFUSED_TASK(detach);
FILCH_REFUSED_OPTIONS_FIRST(submit);
FILCH_REFUSED_OPTIONS_FIRST(detach);

/// pool::wait_idle() on the current pool (which throws `usage_error`, since the caller is one of
/// its workers), else on the default one.
/// Throws  also what default_pool() throws.
void wait_idle();

}  // namespace filch
