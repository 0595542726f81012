// How far apart data must lie so that threads do not slow each other down.
#pragma once

#include <cstddef>

namespace filch::detail {

// Not std::hardware_destructive_interference_size: clang 14 has none, and g++ lets -mtune change
// it, so two files of one program could disagree about the layout of a type (g++ warns about that).

/// The unit in which caches exchange memory: data that is used together should fit in one.
#if (defined(__APPLE__) && defined(__aarch64__)) || defined(__powerpc64__)
inline constexpr std::size_t cache_line_size = 128;
#else
inline constexpr std::size_t cache_line_size = 64;
#endif

/// Data that different threads write lies at least this far apart. Two lines and not one: the
/// prefetcher of x86 fetches lines in aligned pairs, so writes to the neighbouring line cost almost
/// as much as sharing.
inline constexpr std::size_t no_sharing_size = 128;

/// A `T` that shares its cache lines with no other data, even as the element of an array.
template <class T>
struct alignas(no_sharing_size) padded {
  T value{};

  T& operator*() noexcept { return value; }
  const T& operator*() const noexcept { return value; }
  T* operator->() noexcept { return &value; }
  const T* operator->() const noexcept { return &value; }
};

}  // namespace filch::detail
