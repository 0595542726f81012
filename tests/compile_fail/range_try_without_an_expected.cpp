// error: f must return a filch::expected or a std::optional
#include <optional>
#include <vector>

#include "filch/ranges/par_range.hpp"

// A bool could mean either.
[[maybe_unused]] static void misuse([[maybe_unused]] const std::vector<int>& v) {
  (void)filch::par(v).try_for_each([](int x) { return std::optional(x); });
#ifdef FILCH_MISUSE
  (void)filch::par(v).try_for_each([](int x) { return x > 0; });
#endif
}
