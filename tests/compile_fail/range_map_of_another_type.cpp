// error: map\(f\): f must be callable with an item of this range
#include <string>
#include <vector>

#include "filch/ranges.hpp"

// A function takes the items of the range that it stands behind.
[[maybe_unused]] static void misuse() {
#ifdef FILCH_MISUSE
  std::vector<int> words;
#else
  std::vector<std::string> words;
#endif
  (void)filch::par(words).map([](const std::string& s) { return s.size(); }).sum();
}
