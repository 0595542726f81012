// error: views of items that end at once
#include <string>
#include <string_view>
#include <vector>

#include "filch/ranges.hpp"

// A view of a string that the function has returned is one of nothing.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  const auto text = [](int x) { return std::to_string(x); };
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).map(text).to<std::vector<std::string_view>>();
#else
  (void)filch::par(numbers).map(text).to<std::vector<std::string>>();
#endif
}
