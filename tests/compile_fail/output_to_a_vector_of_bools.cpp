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
#elif FILCH_MISUSE == 2   // error: fill\(\): .*Write to a std::vector<char>
  filch::fill(bits, true);
#elif FILCH_MISUSE == 3   // error: copy\(\): .*Write to a std::vector<char>
  filch::copy(numbers.begin(), numbers.end(), bits.begin());
#elif FILCH_MISUSE == 4   // error: sort\(\): .*Write to a std::vector<char>
  filch::sort(bits);
#elif FILCH_MISUSE == 5   // error: rotate\(\): .*Write to a std::vector<char>
  filch::rotate(bits, bits.begin() + 1);
#elif FILCH_MISUSE == 6   // error: transform\(\): .*Write to a std::vector<char>
  filch::transform(numbers, bits, odd);
#elif FILCH_MISUSE == 7   // error: copy\(\): .*Write to a std::vector<char>
  filch::copy(bits, bits);
#elif FILCH_MISUSE == 8   // error: copy_n\(\): .*Write to a std::vector<char>
  filch::copy_n(numbers.begin(), 3, bits.begin());
#elif FILCH_MISUSE == 9   // error: merge\(\): .*Write to a std::vector<char>
  filch::merge(bits, marks, bits);
#elif FILCH_MISUSE == 10  // error: partition_copy\(\): .*Write to a std::vector<char>
  filch::partition_copy(numbers, bits, bits, odd);
#elif FILCH_MISUSE == 11  // error: inclusive_scan\(\): .*Write to a std::vector<char>
  filch::inclusive_scan(numbers, bits);
#elif FILCH_MISUSE == 12  // error: no matching function
  filch::transform(bits, marks.begin(), [](const char*) { return 'x'; });  // the fault is another
#endif
  filch::transform(numbers, marks.begin(), odd);
  filch::copy(bits, marks.begin());
  filch::copy(bits.begin(), bits.end(), marks.begin());
  filch::copy_n(bits.begin(), 3, marks.begin());
  filch::transform(bits.begin(), bits.end(), marks.begin(), odd);
  filch::options coarse{.grain = 3};
  filch::copy(bits.begin(), bits.end(), marks.begin(), coarse);
  filch::transform(bits.begin(), bits.end(), marks.begin(), odd, coarse);
  filch::transform(
      bits, bits, marks.begin(), [](bool a, bool b) { return a && b; }, coarse);
  (void)filch::count(bits, true);
}
