// Making a vector of results whose number is known.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/vector_room.hpp"
#include "filch/detail/split/blocks.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// A vector of what write(b, first, last, out) gives for the blocks: it writes items [first, last)
/// to `out`, an output iterator, in order; `position(b)` is where block `b` begins in the vector,
/// and position(count) its size.
///
/// Where an element is no more than its bytes, all are written in parallel, into memory that nobody
/// has touched before; where a vector cannot be told so (see vector_room), into zeros. Others are
/// made in parallel, in a vector for each block, and moved from there by the calling thread. Throws
/// as for_each_block(), and `std::bad_alloc`.
template <class T, fork_policy Fork, class Position, class Write>
std::vector<T> collect(const Fork& fork, const even_blocks& blocks, const options& o,
                       Position&& position, Write&& write) {
  if constexpr (std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                !std::is_same_v<T, bool>) {
    std::vector<T> all;
    const std::size_t size = position(blocks.count());
    constexpr bool in_place = fills_in_place<T, std::allocator<T>>;
    if constexpr (in_place)
      detail::reserve_to_fill(all, size);
    else
      all.resize(size);
    for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t first, std::size_t last) {
      write(b, first, last, all.data() + position(b));
    });
    if constexpr (in_place) vector_room<T>::set_size(all, size);
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
