// A thread outside of the pool submits empty tasks one by one and waits until all have run. All
// workers are threads of the pool: with the submitter there is one thread more.
//
// OpenMP is left out, because it has no tasks from outside of a team. std::async does fewer, so it
// is compared by the time of a task.
#pragma once

#include "tasks.hpp"

namespace submit {

inline constexpr bench::problem empty{
    "submit", {.full = 2'000'000, .quick = 200'000, .tiny = 1000}, "task", [](int size) {
      return static_cast<double>(size);
    }};

}  // namespace submit
