// What a pool says about itself.
#pragma once

#include <iosfwd>

#include "filch/metrics.hpp"

namespace filch::detail {

class registry;

/// What its participants have done so far. Any thread. Throws `std::bad_alloc`.
measured_pool measure(const registry& home);

/// Prints what every participant is doing. Any thread.
void dump(const registry& home, std::ostream& out);

}  // namespace filch::detail
