// error: items that cannot be copied: par\(std::move\(v\)\) moves them
#include <memory>
#include <utility>
#include <vector>

#include "filch/ranges/par_range.hpp"

[[maybe_unused]] static void misuse([[maybe_unused]] std::vector<std::unique_ptr<int>>& v) {
  (void)filch::par(std::move(v)).to<std::vector>();
#ifdef FILCH_MISUSE
  (void)filch::par(v).to<std::vector>();
#endif
}
