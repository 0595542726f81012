// Making a vector of results whose number is known.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/split/blocks.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// A vector of what write(b, first, last, out) gives for the blocks: it writes items [first, last)
/// to `out`, an output iterator, in order; `position(b)` is where block `b` begins in the vector,
/// and position(count) its size.
///
/// A vector cannot be made without its elements. Where an element is no more than its bytes, all
/// are made as zeros and then overwritten in parallel. Others are made in parallel, in a vector for
/// each block, and moved from there by the calling thread.
/// Throws  as for_each_block(), and `std::bad_alloc`.
template <class T, fork_policy Fork, class Position, class Write>
std::vector<T> collect(const Fork& fork, const even_blocks& blocks, const options& o,
                       Position&& position, Write&& write) {
  if constexpr (std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                !std::is_same_v<T, bool>) {
    std::vector<T> all(position(blocks.count()));
    for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t first, std::size_t last) {
      write(b, first, last, all.data() + position(b));
    });
    return all;
  } else {
    std::vector<std::vector<T>> parts(blocks.count());
    for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t first, std::size_t last) {
      parts[b].reserve(position(b + 1) - position(b));
      write(b, first, last, std::back_inserter(parts[b]));
    });
    if (parts.size() == 1) return std::move(parts.front());
    std::vector<T> all;
    all.reserve(position(blocks.count()));
    for (std::vector<T>& part : parts) {
      all.insert(all.end(), std::make_move_iterator(part.begin()),
                 std::make_move_iterator(part.end()));
      part = {};
    }
    return all;
  }
}

}  // namespace filch::detail
