// Makes a vector of the items that pass a filter, directly from the elements.
#pragma once

#include "filch/detail/chain/staged.hpp"
#include "filch/detail/kernel/pack.hpp"

namespace filch::detail {

/// Are the items small trivially copyable elements of a contiguous range that pass a predicate, and
/// is the container a vector of them? Then it is cheaper to keep the answers as bits and to read
/// the range twice than to gather the items elsewhere first: the memory for that would be fresh
/// from the system, as the vector's is.
template <class Source, class C>
inline constexpr bool packs = false;
template <std::contiguous_iterator I, class Stage, class T, class Allocator>
inline constexpr bool packs<staged_source<borrowed_source<I>, Stage>, std::vector<T, Allocator>> =
    std::same_as<std::iter_value_t<I>, T>&& std::is_trivially_copyable_v<T>&&
        std::is_copy_assignable_v<T> &&
    sizeof(T) <= 16 && fills_in_place<T, Allocator>&& plumbing::selecting_stage<Stage, const T&>;

template <class Source, class Fork>
auto pack_source(const plumbing::run<Fork>& run, const Source& source) {
  const auto first = source.base.at(0);
  const auto test = [&](const std::iter_value_t<decltype(first)>& x) {
    return source.stage.passes(x);
  };
  std::identity self;
  return detail::pack_with(run.fork, first, source.base.size(), test, self, run.o);
}

}  // namespace filch::detail
