// A job on its way from a queue to a thread.
#pragma once

#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// A job that was found, and the isolation region that it belongs to.
struct found_job {
  job* what = nullptr;
  region where = no_region;

  explicit operator bool() const noexcept { return what != nullptr; }
};

/// `taken` may be null.
inline found_job found(branch_slot* taken) noexcept {
  return taken == nullptr ? found_job{} : found_job{taken, taken->where()};
}

}  // namespace filch::detail
