#include "filch/detail/chain/copy_pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "filch/detail/split/fork.hpp"
#include "filch/detail/split/range.hpp"
#include "filch/detail/split/splitter.hpp"

namespace filch::detail {

void copy_pieces(const std::vector<memory_piece>& pieces, std::size_t item_size, void* to,
                 const options& o) {
  std::vector<std::size_t> begins;  // the number of the first item of each
  begins.reserve(pieces.size());
  std::size_t n = 0;
  for (const memory_piece& p : pieces) begins.push_back(std::exchange(n, n + p.count));

  const auto copy = [&](std::size_t first, std::size_t last) {
    auto k = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), first) -
                                      begins.begin()) -
             1;
    for (; first != last; ++k) {
      const std::size_t skip = first - begins[k];
      const std::size_t count = std::min(pieces[k].count - skip, last - first);
      std::memcpy(static_cast<std::byte*>(to) + first * item_size,
                  static_cast<const std::byte*>(pieces[k].first) + skip * item_size,
                  count * item_size);
      first += count;
    }
  };
  detail::for_blocks(parallel_fork{}, n, o, copy, cheap_items);
}

}  // namespace filch::detail
