#include "filch/participation.hpp"

#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"

namespace filch {

void participation::begin(pool& in) {
  in.core()->require_threads();
  if (in.core()->is_current()) return;
  if (const detail::worker* const w = detail::worker::current())
    throw usage_error("filch::participation: the calling thread takes part in " +
                      detail::title(w->home()) + " already, and cannot take part in " +
                      detail::title(*in.core()) +
                      " too. Make it on a thread outside of every pool.");
  stay_.emplace(in.core());
  if (detail::worker* const slot = detail::worker::current()) slot->state.set_stays(true);
}

}  // namespace filch
