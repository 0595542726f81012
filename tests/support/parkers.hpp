// For tests that count allocations.
#pragma once

#include "filch/detail/sched/parker.hpp"

namespace filch::test {

/// Makes sure that the next thread that waits for a pool finds a parker. Otherwise it allocates one
/// when it first sleeps, which may be at any time.
inline void store_a_parker() { detail::return_parker(detail::borrow_parker()); }

}  // namespace filch::test
