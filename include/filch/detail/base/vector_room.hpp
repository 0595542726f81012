// Elements of a std::vector that are made in place, by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "filch/detail/base/huge_pages.hpp"

/// Can the end of a vector be set? Only where its layout is known: docs/decisions/0007. The debug
/// mode of libstdc++ and its marks for AddressSanitizer keep books that this would go behind. 0
/// chooses the way without, as tests of it do.
#if !defined(FILCH_VECTOR_ROOM)
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG) && !defined(_GLIBCXX_SANITIZE_VECTOR)
#define FILCH_VECTOR_ROOM 1
#else
#define FILCH_VECTOR_ROOM 0
#endif
#endif

namespace filch::detail {

/// Can set_size() tell a vector that its elements are there?
template <class T, class Allocator>
inline constexpr bool fills_in_place = FILCH_VECTOR_ROOM != 0 && !std::is_same_v<T, bool> &&
                                       std::is_same_v<Allocator, std::allocator<T>>;

/// The standard has no way to make a vector of elements that were made in its memory: resize()
/// makes them itself, all on one thread, and of types without a default constructor not at all.
/// libstdc++ keeps the end in a member that derived classes may name.
template <class T>
class vector_room : private std::vector<T> {
 public:
  /// The first `n` elements of `v`, whose capacity suffices, live from now on. Only if
  /// fills_in_place.
  static void set_size([[maybe_unused]] std::vector<T>& v,
                       [[maybe_unused]] std::size_t n) noexcept {
#if FILCH_VECTOR_ROOM
    const auto impl = &vector_room::_M_impl;
    (v.*impl)._M_finish = (v.*impl)._M_start + n;
#endif
  }
};

/// Asks for large pages behind memory that is about to be filled, where whole ones lie in it: what
/// is new from the system comes page by page, and of small ones there are many.
inline void expect_filling(void* start, std::size_t bytes) noexcept {
  if (bytes < 2 * huge_page) return;
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::uintptr_t from = (first + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t to = (first + bytes) / huge_page * huge_page;
  want_huge_pages(static_cast<char*>(start) + (from - first), to - from);
}

/// Room for `n` elements in an empty container, which are made or written next.
template <class C>
void reserve_to_fill(C& c, std::size_t n) {
  c.reserve(n);
  detail::expect_filling(c.data(), n * sizeof(typename C::value_type));
}

}  // namespace filch::detail
