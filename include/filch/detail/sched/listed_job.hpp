// Jobs that can wait in a list.
#pragma once

#include "filch/detail/sched/job.hpp"

namespace filch::detail {

/// A job that can also wait in a list: in an injector, or in a worker's inbox.
class listed_job : public job {
 public:
  using job::job;
  listed_job* next = nullptr;

 protected:
  ~listed_job() = default;
};

}  // namespace filch::detail
