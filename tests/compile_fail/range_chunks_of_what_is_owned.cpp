// error: the chain owns or computes, and must not outlive it
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// Chunks refer to the elements: if the chain owns these, they are gone when it has run.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
#ifdef FILCH_MISUSE
  (void)filch::par(std::move(numbers)).chunks(3).to_vector();
#else
  (void)filch::par(numbers).chunks(3).to_vector();
#endif
}
