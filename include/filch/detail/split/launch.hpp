// Where an algorithm runs: here, on another pool, as work of another priority, isolated.
#pragma once

#include <string>
#include <type_traits>

#include "filch/detail/base/expect.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/errors.hpp"
#include "filch/isolate.hpp"
#include "filch/options.hpp"
#include "filch/pool.hpp"
#include "filch/spawn.hpp"

namespace filch::detail {

template <class F>
[[gnu::cold, gnu::noinline]] auto launch_elsewhere(const options& o, F& f)
    -> std::invoke_result_t<F&> {
  using R = std::invoke_result_t<F&>;
  if (o.priority > priority::low)
    throw usage_error("filch: there is no priority number " +
                      std::to_string(static_cast<unsigned>(o.priority)) +
                      ", only high, normal and low");
  const auto run = [&]() -> R {
    if (o.isolate) return filch::isolate(f);
    return f();
  };
  if (o.priority != priority::normal)
    return filch::submit(run, {.priority = o.priority, .on = o.on}).get();
  if (o.on != nullptr) return o.on->install(run);
  // A thread without a place would help anybody while it waits in its joins: a worker does it then.
  return worker::current() != nullptr ? run() : default_pool().install(run);
}

/// Calls `f`, which runs an algorithm, where the options say: on the pool `o.on`; as a task of
/// another priority than normal, for which the caller waits; isolated. Without any of these it is a
/// plain call.
/// Throws  What `f` throws; `usage_error` for a priority that does not exist; what pool::install()
///         and submit() throw.
template <class F>
auto launch(const options& o, F&& f) -> std::invoke_result_t<F&> {
  if (usually(o.on == nullptr && !o.isolate && o.priority == priority::normal)) return f();
  return launch_elsewhere(o, f);
}

}  // namespace filch::detail
