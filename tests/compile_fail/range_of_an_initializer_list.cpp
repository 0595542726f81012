// error: make a std::vector of them
#include <initializer_list>
#include <string>
#include <vector>

#include "filch/ranges.hpp"

// The list has a name, or its strings have gone when the chain begins.
[[maybe_unused]] static void misuse() {
#ifdef FILCH_MISUSE
  (void)filch::par(std::initializer_list<std::string>{"one", "two"}).count();
#else
  const std::initializer_list<std::string> words{"one", "two"};
  (void)filch::par(words).count();
#endif
}
