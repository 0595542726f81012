// error: map\(f\): f must be callable with an item of this range
#include <string>
#include <vector>

#include "filch/ranges.hpp"

// The pipe form says what is wrong, too.
[[maybe_unused]] static void misuse() {
#ifdef FILCH_MISUSE
  std::vector<int> words;
#else
  std::vector<std::string> words;
#endif
  const auto length = [](const std::string& s) { return s.size(); };
  (void)(words | filch::views::par | filch::views::map(length)).sum();
}
