#include "filch/detail/loop/launch.hpp"

#include <optional>
#include <string>

#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/errors.hpp"
#include "filch/isolate.hpp"
#include "filch/options.hpp"
#include "filch/pool.hpp"
#include "filch/spawn.hpp"

namespace filch::detail {

void launch_elsewhere(const options& o, call_ref<> f) {
  if (o.priority > priority::low)
    throw usage_error("filch: there is no priority number " +
                      std::to_string(static_cast<unsigned>(o.priority)) +
                      ", only high, normal and low");
  const auto run = [&] {
    const lone_call slot(!my_branches.is_open());
    if (o.max_workers != 0) {
      // An outside thread takes part from the beginning, so that the limit also holds for a scope
      // that its first body opens.
      std::optional<guest_stay> stay;
      if (worker::current() == nullptr) stay.emplace(current_registry());
      const call_limit::call limited(o.max_workers);
      const in_region here(limited.where(o.isolate || is_isolated(region_here())));
      f();
    } else if (o.isolate) {
      filch::isolate(f);
    } else {
      f();
    }
  };
  const worker* const w = worker::current();
  const bool here = w != nullptr && (o.on == nullptr || &w->home() == o.on->core().get());
  // An isolated caller runs nothing that may lie before the loop in a queue. So it begins the loop
  // itself, which no priority can beat, or waits in a region of its own.
  if (o.isolate && here) return run();
  std::optional<in_region> waits;
  if (o.isolate) waits.emplace(new_region());
  if (o.priority != priority::normal) {
    filch::submit(run, {.priority = o.priority, .on = o.on}).get();
  } else if (o.on != nullptr) {
    o.on->install(run);
  } else {
    run();
  }
}

}  // namespace filch::detail
