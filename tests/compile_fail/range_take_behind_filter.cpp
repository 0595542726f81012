// error: (satisf|because).*indexed_source
#include <vector>

#include "filch/ranges.hpp"

// Nobody knows which items are the first ten before all have been looked at.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  const auto pred = [](int x) { return x > 0; };
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).filter(pred).take(10).sum();
#else
  (void)filch::par(numbers).take(10).filter(pred).sum();
#endif
}
