// How far apart things must be so that threads do not slow each other down.
#pragma once

#include <cstddef>

namespace filch::detail {

// Not std::hardware_destructive_interference_size: clang 14 has none, and g++ lets -mtune change
// it, so two files of one program could disagree about the layout of a type (g++ warns about that).

/// The unit in which caches exchange memory: what is used together fits in one.
#if (defined(__APPLE__) && defined(__aarch64__)) || defined(__powerpc64__)
inline constexpr std::size_t cache_line_size = 128;
#else
inline constexpr std::size_t cache_line_size = 64;
#endif

/// What different threads write is at least this far apart. Two lines and not one: the prefetcher
/// of x86 fetches lines in aligned pairs, so a neighbour's writes cost almost as much as sharing.
inline constexpr std::size_t no_sharing_size = 128;

/// A `T` that shares its cache lines with nothing else, also as the element of an array.
template <class T>
struct alignas(no_sharing_size) padded {
  T value{};

  T& operator*() noexcept { return value; }
  const T& operator*() const noexcept { return value; }
  T* operator->() noexcept { return &value; }
  const T* operator->() const noexcept { return &value; }
};

}  // namespace filch::detail
