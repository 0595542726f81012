// Neighbouring bits share a word: they can be read by several threads, but not written.
#include <iterator>
#include <vector>

#include "filch/algorithm.hpp"

[[maybe_unused]] static void misuse() {
  std::vector<int> numbers(8);
  std::vector<char> marks(8);
  std::vector<bool> bits(8);
  const auto odd = [](int x) { return x % 2 != 0; };
#if FILCH_MISUSE == 1  // error: transform\(\): .*Write to a std::vector<char>
  filch::transform(numbers, bits.begin(), odd);
#elif FILCH_MISUSE == 2  // error: fill\(\): .*Write to a std::vector<char>
  filch::fill(bits, true);
#elif FILCH_MISUSE == 3  // error: copy\(\): .*Write to a std::vector<char>
  filch::copy(numbers.begin(), numbers.end(), bits.begin());
#elif FILCH_MISUSE == 4  // error: sort\(\): .*Write to a std::vector<char>
  filch::sort(bits);
#elif FILCH_MISUSE == 5  // error: rotate\(\): .*Write to a std::vector<char>
  filch::rotate(bits, bits.begin() + 1);
#endif
  filch::transform(numbers, marks.begin(), odd);
  filch::copy(bits, marks.begin());
  filch::copy(bits.begin(), bits.end(), marks.begin());
  filch::copy_n(bits.begin(), 3, marks.begin());
  filch::transform(bits.begin(), bits.end(), marks.begin(), odd);
  (void)filch::count(bits, true);
}
