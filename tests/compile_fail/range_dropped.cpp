// Nothing runs before a consumer is called, and what a consumer gives is all that it does.
#include <optional>
#include <vector>

#include "filch/ranges.hpp"

[[maybe_unused]] static void misuse() {
  namespace views = filch::views;
  std::vector<int> numbers;
  const auto increment = [](int& x) { ++x; };
  const auto next = [](int x) { return x + 1; };
  const auto half = [](int x) { return x % 2 == 0 ? std::optional(x / 2) : std::nullopt; };
  filch::par(numbers).for_each(increment);
  filch::par(numbers).into(numbers);
#if FILCH_MISUSE == 1  // error: end the chain with for_each
  filch::par(numbers).update(increment);
#elif FILCH_MISUSE == 2  // error: end the chain with for_each
  filch::par(numbers);
#elif FILCH_MISUSE == 3  // error: end the chain with for_each
  filch::par(numbers).map(next).with({.grain = 3});
#elif FILCH_MISUSE == 4  // error: end the chain with for_each
  numbers | views::par | views::map(next);
#elif FILCH_MISUSE == 5  // error: put it behind a pipe
  views::map(next);
#elif FILCH_MISUSE == 6  // error: ignoring return value.*nodiscard
  filch::par(numbers).sum();
#elif FILCH_MISUSE == 7  // error: ignoring return value.*nodiscard
  filch::par(numbers).try_for_each(half);
#endif
  (void)filch::par(numbers).update(increment);
}
