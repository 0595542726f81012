// error: views of what ends at once
#include <string>
#include <string_view>
#include <vector>

#include "filch/ranges.hpp"

// The common type is std::string_view, but nothing keeps the strings.
[[maybe_unused]] static void misuse() {
  std::vector<std::string_view> names;
  std::vector<int> numbers;
  const auto text = [](int x) { return std::to_string(x); };
#ifdef FILCH_MISUSE
  (void)filch::par(names).chain(filch::par(numbers).map(text)).to_vector();
#else
  const auto owned = [](std::string_view s) { return std::string(s); };
  (void)filch::par(names).map(owned).chain(filch::par(numbers).map(text)).to_vector();
#endif
}
