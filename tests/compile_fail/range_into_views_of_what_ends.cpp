// error: views of items that end at once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// Nor is a pair with a view of a string that is on its way.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  const auto text = [](int x) { return std::to_string(x); };
#ifdef FILCH_MISUSE
  std::vector<std::pair<std::size_t, std::string_view>> out;
#else
  std::vector<std::pair<std::size_t, std::string>> out;
#endif
  (void)filch::par(numbers).map(text).enumerate().into(out);
}
