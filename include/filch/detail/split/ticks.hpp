// How long a leaf should take, on the cheap clock.
#pragma once

#include "filch/detail/base/ticks.hpp"

namespace filch::detail {

/// About 10 microseconds: from 5 on a processor whose counter runs at 4 GHz to 20 if it runs at
/// 1 GHz, or in nanoseconds.
inline constexpr ticks ticks_of_a_leaf = 20'000;

}  // namespace filch::detail
