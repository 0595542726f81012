// How an item becomes the machine word that a slot of the deque holds.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// May a `T` live in the slot itself? A thief copies it before it knows whether it gets the item.
/// So a copy must be plain bytes, few enough for a lock-free atomic.
template <class T>
inline constexpr bool fits_slot = std::is_trivially_copyable_v<T> &&
                                  sizeof(T) <= sizeof(std::uint64_t);

/// The general case: the item lives in a box on the heap and the slot holds its address.
template <class T>
struct slot {
  using word = T*;

  /// Throws what the allocation or T's move throws; then nothing was made.
  static word make(T&& item) { return new T(std::move(item)); }

  /// Moves the item out. If T's move throws, the item is destroyed, and not leaked.
  template <class Result>
  static Result take(word box) {
    const std::unique_ptr<T> owned(box);
    return Result(std::in_place, std::move(*owned));
  }
  static void drop(word box) noexcept { delete box; }
};

/// The item's bytes are the word.
template <class T>
requires fits_slot<T>
struct slot<T> {
  using word = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>>>;

  static word make(T&& item) noexcept {
    word w = 0;
    std::memcpy(&w, std::addressof(item), sizeof(T));
    return w;
  }
  template <class Result>
  static Result take(word w) noexcept {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &w, sizeof(T));
    return Result(std::in_place, std::bit_cast<T>(bytes));
  }
  static void drop(word) noexcept {}
};

}  // namespace filch::detail
