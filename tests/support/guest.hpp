// An outside thread that takes part in a pool.
#pragma once

#include "filch/detail/sched/registry.hpp"
#include "filch/pool.hpp"

namespace filch::test {

/// The calling thread is a guest of `p` for as long as this lives.
class guest {
 public:
  explicit guest(const pool& p) : slot_(p.core()), pass_(*slot_, detail::new_call()) {}

 private:
  detail::guest_slot slot_;
  detail::guest_pass pass_;
};

}  // namespace filch::test
