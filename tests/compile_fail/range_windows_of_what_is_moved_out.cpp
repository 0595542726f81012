// error: look at an item several times
#include <string>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// An item that is made of an element which goes away cannot be in two windows.
[[maybe_unused]] static void misuse() {
  std::vector<std::string> words;
  const auto longer = [](std::string s) { return s + "!"; };
  const auto size = [](auto two) { return two.size(); };
#ifdef FILCH_MISUSE
  (void)filch::par(std::move(words)).map(longer).windows(2).map(size).sum();
#else
  (void)filch::par(words).map(longer).windows(2).map(size).sum();
#endif
}
