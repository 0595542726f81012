#include "filch/detail/kernel/by_key.hpp"

#include <algorithm>

namespace filch::detail {

void sort_by_position(found_key* keys, std::size_t n) {
  std::sort(keys, keys + n,
            [](const found_key& x, const found_key& y) { return x.first < y.first; });
}

}  // namespace filch::detail
