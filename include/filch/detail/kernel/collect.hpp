// Makes containers of elements whose number is known.
#pragma once

#include <iterator>
#include <ranges>

#include "filch/detail/base/vector_storage.hpp"
#include "filch/detail/loop/blocks.hpp"
#include "filch/detail/loop/sizes.hpp"

namespace filch::detail {

/// A std::vector whose elements can be constructed in its memory.
template <class C>
inline constexpr bool is_fillable_vector = false;
template <class T, class Allocator>
inline constexpr bool is_fillable_vector<std::vector<T, Allocator>> = fills_in_place<T, Allocator>;

/// A contiguous container of trivial elements, such as a string or a vector with another allocator.
/// It is resized and then written to; constructing its elements first costs little.
template <class C>
concept writable_row = std::ranges::contiguous_range<C> && std::default_initializable<C> &&
    std::is_trivially_copyable_v<std::ranges::range_value_t<C>> &&
    std::is_copy_assignable_v<std::ranges::range_value_t<C>> &&
    std::is_trivially_default_constructible_v<std::ranges::range_value_t<C>> &&
    requires(C& c, std::size_t n) {
  c.resize(n);
};

template <class C>
concept fillable_container = is_fillable_vector<C> || writable_row<C>;

/// A container whose elements are made in its memory, several at once. `what` needs it: for the
/// message if there are too many elements.
template <fillable_container C>
class filled_container {
 public:
  filled_container(std::size_t n, const char* what) {
    detail::require_capacity(made_, n, what);
    if constexpr (is_fillable_vector<C>)
      detail::reserve_to_fill(made_, n);
    else
      made_.resize(n);
  }
  /// The memory for the first element.
  typename C::value_type* first_slot() noexcept { return made_.data(); }
  /// The container, after its first `n` elements were made.
  C finish(std::size_t n) {
    if constexpr (is_fillable_vector<C>) vector_storage<typename C::value_type>::set_size(made_, n);
    return std::move(made_);
  }

 private:
  C made_;
};

/// Returns a vector of the results of all blocks. write(b, first, last, out) writes items [first,
/// last) of block `b` to the output iterator `out`, in order. position(b) is the index in the
/// vector at which block `b` begins; position(count) is the size of the vector.
///
/// Trivially copyable elements that can be assigned are written in parallel, directly into memory
/// that no thread has touched. Where a vector cannot provide such memory (see vector_storage), they
/// are written over zeros. Other elements are made in parallel, in one vector for each block, and
/// then moved by the calling thread. Throws what for_each_block() throws, and `std::bad_alloc`.
template <class T, fork_policy Fork, class Position, class Write>
std::vector<T> collect(const Fork& fork, const even_blocks& blocks, const options& o,
                       Position&& position, Write&& write) {
  if constexpr (std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T> &&
                fillable_container<std::vector<T>>) {
    const std::size_t size = position(blocks.count());
    filled_container<std::vector<T>> all(size, "the result");
    for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t first, std::size_t last) {
      write(b, first, last, all.first_slot() + position(b));
    });
    return all.finish(size);
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
      for (auto&& each : part) all.push_back(std::move(each));  // insert() would assign
      part = std::vector<T>();
    }
    return all;
  }
}

}  // namespace filch::detail
