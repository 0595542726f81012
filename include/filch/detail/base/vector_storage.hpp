// Elements of a std::vector that several threads make in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "filch/detail/base/huge_pages.hpp"

/// Can filch set the end of a vector? Only where it knows the layout: docs/decisions/0007. Not in
/// the debug mode of libstdc++, nor with its marks for AddressSanitizer: both keep records that
/// this would not update. 0 chooses the way without, as tests of it do.
#if !defined(FILCH_VECTOR_STORAGE)
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG) && !defined(_GLIBCXX_SANITIZE_VECTOR)
#define FILCH_VECTOR_STORAGE 1
#else
#define FILCH_VECTOR_STORAGE 0
#endif
#endif

namespace filch::detail {

/// Can set_size() tell a vector that its elements exist?
template <class T, class Allocator>
inline constexpr bool fills_in_place = FILCH_VECTOR_STORAGE != 0 && !std::is_same_v<T, bool> &&
                                       std::is_same_v<Allocator, std::allocator<T>>;

/// The standard has no way to make elements in the memory of a vector and then tell it so: resize()
/// makes them itself, all on one thread, and cannot do so for types without a default constructor.
/// libstdc++ keeps the end in a member that derived classes may name.
template <class T>
class vector_storage : private std::vector<T> {
 public:
  /// The first `n` elements of `v`, whose capacity suffices, live from now on. Only if
  /// fills_in_place.
  static void set_size([[maybe_unused]] std::vector<T>& v,
                       [[maybe_unused]] std::size_t n) noexcept {
#if FILCH_VECTOR_STORAGE
    const auto impl = &vector_storage::_M_impl;
    (v.*impl)._M_finish = (v.*impl)._M_start + n;
#endif
  }
};

/// Asks for large pages behind memory that is about to be filled, where whole large pages lie in
/// it: the system supplies new memory page by page, and there would be many small pages.
inline void expect_filling(void* start, std::size_t bytes) noexcept {
  if (bytes < 2 * huge_page) return;
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::uintptr_t from = (first + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t to = (first + bytes) / huge_page * huge_page;
  want_huge_pages(static_cast<char*>(start) + (from - first), to - from);
}

/// Reserves memory for `n` elements in an empty container. The caller makes or writes them next.
template <class C>
void reserve_to_fill(C& c, std::size_t n) {
  c.reserve(n);
  detail::expect_filling(c.data(), n * sizeof(typename C::value_type));
}

}  // namespace filch::detail
