// error: (satisf|because).*indexed_source
#include <vector>

#include "filch/ranges.hpp"

// Items without positions have no partners.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  const auto pred = [](int x) { return x > 0; };
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).filter(pred).zip(numbers).count();
#else
  (void)filch::par(numbers).zip(numbers).count();
#endif
}
