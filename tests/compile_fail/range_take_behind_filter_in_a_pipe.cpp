// error: (satisf|because).*indexed_source
#include <vector>

#include "filch/ranges.hpp"

// The pipe form says what is wrong, too.
[[maybe_unused]] static void misuse() {
  namespace views = filch::views;
  std::vector<int> numbers;
  const auto pred = [](int x) { return x > 0; };
#ifdef FILCH_MISUSE
  (void)(numbers | views::par | views::filter(pred) | views::take(10)).sum();
#else
  (void)(numbers | views::par | views::take(10) | views::filter(pred)).sum();
#endif
}
