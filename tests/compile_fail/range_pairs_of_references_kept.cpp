// error: the chain owns or computes, and must not outlive it
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// Pairs are kept as values: a reference to what the chain owns would dangle.
[[maybe_unused]] static void misuse() {
  std::vector<std::string> words;
#ifdef FILCH_MISUSE
  using row = std::pair<std::size_t, const std::string&>;
#else
  using row = std::pair<std::size_t, std::string>;
#endif
  (void)filch::par(std::move(words)).enumerate().to<std::vector<row>>();
}
