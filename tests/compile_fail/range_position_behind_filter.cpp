// error: behind filter, flat_map and the like items have no positions
#include <vector>

#include "filch/ranges/par_range.hpp"

// Which position would it be: among those that passed, or among all?
[[maybe_unused]] static void misuse([[maybe_unused]] const std::vector<int>& v) {
  const auto even = [](int x) { return x % 2 == 0; };
  (void)filch::par(v).position_first(even);
#ifdef FILCH_MISUSE
  (void)filch::par(v).filter(even).position_first(even);
#endif
}
