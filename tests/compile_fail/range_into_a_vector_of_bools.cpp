// error: several threads cannot write to a std::vector<bool>
#include <array>
#include <vector>

#include "filch/ranges.hpp"

// Neighbouring bits share a word.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers(8);
#ifdef FILCH_MISUSE
  std::vector<bool> out(8);
#else
  std::array<bool, 8> out{};
#endif
  (void)filch::par(numbers).map([](int x) { return x > 0; }).into(out);
}
