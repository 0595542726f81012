// Makes a vector of results whose number is known.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/vector_storage.hpp"
#include "filch/detail/loop/blocks.hpp"
#include "filch/detail/loop/fork_policy.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// Returns a vector of the results of all blocks. write(b, first, last, out) writes items [first,
/// last) of block `b` to the output iterator `out`, in order. position(b) is the index in the
/// vector at which block `b` begins; position(count) is the size of the vector.
///
/// Trivially copyable elements are written in parallel, directly into memory that no thread has
/// touched. Where a vector cannot provide such memory (see vector_storage), they are written over
/// zeros. Other elements are made in parallel, in one vector for each block, and then moved by the
/// calling thread. Throws what for_each_block() throws, and `std::bad_alloc`.
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
    if constexpr (in_place) vector_storage<T>::set_size(all, size);
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
