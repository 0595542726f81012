// error: If calls change f \(a mutable lambda\), f must be copyable
#include <memory>
#include <vector>

#include "filch/ranges.hpp"

// What calls change is copied for every leaf, and what cannot be copied is shared by threads.
[[maybe_unused]] static void misuse() {
  std::vector<int> numbers;
  auto box = std::make_unique<int>(3);
#ifdef FILCH_MISUSE
  (void)filch::par(numbers).map([box = std::move(box)](int x) mutable { return x + *box; }).sum();
#else
  (void)filch::par(numbers).map([box = std::move(box)](int x) { return x + *box; }).sum();
#endif
}
