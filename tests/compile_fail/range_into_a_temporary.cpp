// error: what is written to a range without a name would be lost
#include <vector>

#include "filch/ranges.hpp"

// into() writes to elements that are there, and stay.
[[maybe_unused]] static void misuse() {
  const std::vector<int> numbers(4);
  std::vector<int> out(4);
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).into(std::vector<int>(4));
#else
  (void)filch::par(numbers).into(out);
#endif
}
