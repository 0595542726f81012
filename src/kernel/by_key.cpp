#include "filch/detail/kernel/by_key.hpp"

#include <algorithm>

namespace filch::detail {

void sort_by_position(std::span<found_key> keys) {
  std::sort(keys.begin(), keys.end(),
            [](const found_key& x, const found_key& y) { return x.first < y.first; });
}

}  // namespace filch::detail
