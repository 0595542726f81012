// error: filter\(pred\): pred must be callable .*and return a bool
#include <string>
#include <vector>

#include "filch/ranges.hpp"

// A predicate says yes or no.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
#ifdef FILCH_MISUSE
  const auto pred = [](int x) { return std::to_string(x); };
#else
  const auto pred = [](int x) { return x > 0; };
#endif
  (void)filch::par(numbers).filter(pred).count();
}
