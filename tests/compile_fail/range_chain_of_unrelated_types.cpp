// error: the items of both must have a type in common
#include <string>
#include <vector>

#include "filch/ranges.hpp"

[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  std::vector<std::string> words;
  const auto text = [](int x) { return std::to_string(x); };
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).chain(words).count();
#else
  (void)filch::par(numbers).map(text).chain(words).count();
#endif
}
