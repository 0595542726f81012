// error: discards qualifiers|is an lvalue|not viable: expects an rvalue
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// An adaptor takes the range over: of one that has a name only if it is moved.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  auto range = filch::par(numbers);
#ifdef FILCH_MISUSE
  (void)range.map([](int x) { return x; }).sum();
#else
  (void)std::move(range).map([](int x) { return x; }).sum();
#endif
}
