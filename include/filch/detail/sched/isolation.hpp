// What isolate() and blocking() do around a call.
#pragma once

#include "filch/detail/sched/region.hpp"

namespace filch::detail {

class worker;

/// The calling thread is in an isolation region for as long as this lives; without a place in a
/// pool it does nothing.
class in_region {
 public:
  explicit in_region(region r) noexcept;
  in_region(const in_region&) = delete;
  in_region& operator=(const in_region&) = delete;
  ~in_region();

 private:
  worker* place_;
  region outer_ = no_region;
};

/// The calling worker is blocked for as long as this lives, and a spare one stands in for it; for
/// several of these, one inside of the other, still one. For a guest nobody does, who is not one of
/// the pool's number; without a place in a pool it does nothing.
///
/// In a child of fork() neither of the two destructors does anything.
class while_blocked {
 public:
  while_blocked() noexcept;
  while_blocked(const while_blocked&) = delete;
  while_blocked& operator=(const while_blocked&) = delete;
  ~while_blocked();

 private:
  worker* place_;
};

}  // namespace filch::detail
