// What the library has for exceptions of tasks and for pools: in models no task throws, and there
// is no pool.
#pragma once

#include <cstdlib>

#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/chosen_pool.hpp"

namespace filch::detail {

caught caught::in_handler() noexcept { std::abort(); }
void caught::suppress(caught&&) noexcept { std::abort(); }
void caught::rethrow() { std::abort(); }
void suppressed_list::destroy() noexcept { std::abort(); }
std::uint32_t pool_number_here() noexcept { return 0; }

}  // namespace filch::detail
