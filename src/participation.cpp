#include "filch/participation.hpp"

#include <new>

#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/pool_report.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"
#include "filch/pool.hpp"

namespace filch {

struct participation::inside {
  explicit inside(const pool& in) : slot(in.core()), pass(*slot, detail::region_of_call()) {}
  detail::guest_slot slot;
  detail::guest_pass pass;
};

participation::participation(pool& in) {
  in.core()->require_threads();
  if (in.core()->is_current()) return;
  if (const detail::worker* const w = detail::worker::current())
    throw usage_error("filch::participation: the calling thread takes part in " +
                      detail::title(w->home()) + " already, and cannot take part in " +
                      detail::title(*in.core()) +
                      " too. Make it on a thread outside of every pool.");
  try {
    inside_ = std::make_unique<inside>(in);
  } catch (const std::bad_alloc&) {
    // It works alone, as any guest for which there is no slot.
  }
}

participation::~participation() = default;

}  // namespace filch
