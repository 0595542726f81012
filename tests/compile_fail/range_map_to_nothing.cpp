// error: for_each\(f\) is for one that returns nothing
#include <vector>

#include "filch/ranges.hpp"

// map() makes items: a function that returns nothing is one for for_each().
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).map([](int& x) { ++x; }).count();
#else
  filch::par(numbers).for_each([](int& x) { ++x; });
#endif
}
