// How the maker of a scope runs the scope's tasks.
#pragma once

#include <cstdint>

#include "filch/detail/sched/region_stack.hpp"

namespace filch::detail {

class worker;

/// Runs the jobs that one participant has in its deque, newest first. Owner only.
class newest_first {
 public:
  explicit newest_first(worker& self) noexcept : self_(self) {}

  /// While `left` is positive, runs the jobs that were pushed from index `first` on and are still
  /// in the deque. Urgent jobs and jobs from outside have their turn in between.
  void run(std::uint64_t first, const std::int64_t& left) noexcept;

 private:
  [[gnu::cold, gnu::noinline]] bool run_newest_or_other(std::uint64_t first) noexcept;
  [[gnu::cold, gnu::noinline]] bool run_tagged(queued newest) noexcept;
  bool run_as_help(queued newest) noexcept;
  [[gnu::cold, gnu::noinline]] bool help_outside() noexcept;

  worker& self_;
};

}  // namespace filch::detail
