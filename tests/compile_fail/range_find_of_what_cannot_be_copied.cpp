// error: cannot be copied. Move the container in
#include <memory>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"

// What is found is returned by value.
[[maybe_unused]] static void misuse() {
  std::vector<std::unique_ptr<int>> owned;
  const auto pred = [](const std::unique_ptr<int>& p) { return p != nullptr; };
#ifdef FILCH_MISUSE
  (void)filch::par(owned).find_first(pred);
#else
  (void)filch::par(std::move(owned)).find_first(pred);
#endif
}
