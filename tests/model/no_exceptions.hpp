// What the library has for exceptions of tasks, for models in which no task throws.
#pragma once

#include <cstdlib>

#include "filch/detail/sched/caught.hpp"

namespace filch::detail {

caught caught::in_handler() noexcept { std::abort(); }
void caught::outrun(caught&&) noexcept { std::abort(); }
void caught::rethrow() { std::abort(); }
void outrun_list::destroy() noexcept { std::abort(); }

}  // namespace filch::detail
