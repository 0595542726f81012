// Moving items that a chain has gathered, if they are no more than their bytes.
#pragma once

#include <cstddef>
#include <vector>

#include "filch/options.hpp"

namespace filch::detail {

/// Items that lie side by side.
struct memory_piece {
  const void* first;
  std::size_t count;
};

/// Copies the items of all pieces, `item_size` bytes each, to where they stay, one after the other,
/// by all threads. Not a template: else every chain that gathers would compile a second loop.
/// Options  grain.
void copy_pieces(const std::vector<memory_piece>& pieces, std::size_t item_size, void* to,
                 const options& o);

}  // namespace filch::detail
