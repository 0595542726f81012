// How long a leaf should take, in ticks of the cheap clock.
#pragma once

#include "filch/detail/base/ticks.hpp"

namespace filch::detail {

/// About 10 microseconds: 5 if the processor's counter runs at 4 GHz, 20 if it runs at 1 GHz or
/// ticks are nanoseconds.
inline constexpr ticks ticks_of_a_leaf = 20'000;

}  // namespace filch::detail
