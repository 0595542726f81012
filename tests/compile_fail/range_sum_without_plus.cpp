// error: needs T . item and T . T
#include <string>
#include <vector>

#include "filch/ranges.hpp"

// A sum needs a `+`.
[[maybe_unused]] static void misuse() {
  std::vector<std::string> words;
#ifdef FILCH_MISUSE
  (void)filch::par(words).map([](const std::string& s) { return s.c_str(); }).sum();
#else
  (void)filch::par(words).sum();
#endif
}
