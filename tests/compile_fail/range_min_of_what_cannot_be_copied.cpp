// error: the items of this range cannot be copied
#include <memory>
#include <utility>
#include <vector>

#include "filch/ranges/par_range.hpp"

// The result is a value, and the elements stay where they are.
[[maybe_unused]] static void misuse([[maybe_unused]] std::vector<std::unique_ptr<long>>& v) {
  (void)filch::par(std::move(v)).min();
#ifdef FILCH_MISUSE
  (void)filch::par(v).min();
#endif
}
