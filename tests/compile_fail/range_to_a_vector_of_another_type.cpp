// error: elements constructible from the items
#include <string>
#include <vector>

#include "filch/ranges.hpp"

// What is collected can be made of the items.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
#ifdef FILCH_MISUSE
  using element = std::string;
#else
  using element = long;
#endif
  (void)filch::par(numbers).to<std::vector<element>>();
}
