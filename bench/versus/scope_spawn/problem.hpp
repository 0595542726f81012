// A worker spawns empty tasks into one group and waits for them: the price of a task that is not a
// branch of a join.
#pragma once

#include "tasks.hpp"

namespace scope_spawn {

inline constexpr bench::problem empty{
    "scope_spawn", {.full = 5'000'000, .quick = 1'000'000, .tiny = 1000}, "task", [](int size) {
      return static_cast<double>(size);
    }};

}  // namespace scope_spawn
