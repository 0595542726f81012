// error: (satisf|because).*parallel
#include <list>
#include <vector>

#include "filch/ranges.hpp"

// Several threads want positions; what has none goes through par_bridge().
[[maybe_unused]] static void misuse() {
#ifdef FILCH_MISUSE
  std::list<int> numbers;
#else
  std::vector<int> numbers;
#endif
  (void)filch::par(numbers).sum();
}
