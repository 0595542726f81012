#include "filch/detail/loop/launch.hpp"

#include <string>

#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/errors.hpp"
#include "filch/isolate.hpp"
#include "filch/options.hpp"
#include "filch/pool.hpp"
#include "filch/spawn.hpp"

namespace filch::detail {

void launch_elsewhere(const options& o, launched_call f) {
  if (o.priority > priority::low)
    throw usage_error("filch: there is no priority number " +
                      std::to_string(static_cast<unsigned>(o.priority)) +
                      ", only high, normal and low");
  const auto run = [&] {
    if (o.max_workers != 0) {
      const call_limit::call limited(o.max_workers);
      const in_region here(limited.where(o.isolate || is_isolated(region_here())));
      f();
    } else if (o.isolate) {
      filch::isolate(f);
    } else {
      f();
    }
  };
  if (o.priority != priority::normal) {
    filch::submit(run, {.priority = o.priority, .on = o.on}).get();
  } else if (o.on != nullptr) {
    o.on->install(run);
  } else {
    run();
  }
}

}  // namespace filch::detail
