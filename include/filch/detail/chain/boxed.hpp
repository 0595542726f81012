// A value of any type in an object of one type.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// Holds a value or nothing. Only the code that put the value in knows its type. Small values are
/// stored inside, so that the results of short leaves need no allocation.
class boxed {
 public:
  boxed() noexcept = default;
  /// Makes a box of an rvalue. Throws what moving it throws, and `std::bad_alloc` if the value is
  /// large or its move may throw.
  template <class T>
  static boxed holding(T&& value) {
    boxed box;
    if constexpr (std::same_as<stored<T>, T>)
      ::new (static_cast<void*>(box.storage_)) T(static_cast<T&&>(value));
    else
      ::new (static_cast<void*>(box.storage_))
          stored<T>(std::make_unique<T>(static_cast<T&&>(value)));
    box.kind_ = &kind_of_value<T>;
    return box;
  }
  boxed(boxed&& other) noexcept : kind_(std::exchange(other.kind_, nullptr)) {
    if (kind_ == nullptr) return;
    if (kind_->relocate == nullptr)
      std::memcpy(storage_, other.storage_, sizeof(storage_));
    else
      kind_->relocate(storage_, other.storage_);
  }
  boxed& operator=(boxed&&) = delete;
  ~boxed() {
    if (kind_ != nullptr && kind_->destroy != nullptr) kind_->destroy(storage_);
  }

  /// Takes the value, which is a T, or T{} if the box is empty.
  template <class T>
  T take() && {
    if (kind_ == nullptr) return T{};
    auto& value = *std::launder(reinterpret_cast<stored<T>*>(storage_));
    if constexpr (std::same_as<stored<T>, T>)
      return std::move(value);
    else
      return std::move(*value);
  }

 private:
  static constexpr std::size_t storage_size = 48;
  template <class T>
  static constexpr bool fits =
      sizeof(T) <= storage_size&& std::is_nothrow_move_constructible_v<T> &&
      alignof(T) <= alignof(std::max_align_t);
  template <class T>
  using stored = std::conditional_t<fits<T>, T, std::unique_ptr<T>>;

  /// The functions for a type. `relocate` is null if moving means copying bytes; `destroy` is null
  /// if there is nothing to do.
  struct value_kind {
    void (*relocate)(void* to, void* from) noexcept;
    void (*destroy)(void* what) noexcept;
  };
  template <class T>
  static void relocate_value(void* to, void* from) noexcept {
    T* const value = std::launder(static_cast<T*>(from));
    ::new (to) T(std::move(*value));
    std::destroy_at(value);
  }
  template <class T>
  static void destroy_value(void* what) noexcept {
    std::destroy_at(std::launder(static_cast<T*>(what)));
  }
  template <class T, class Stored = stored<T>>
  static constexpr value_kind kind_of_value{
      std::is_trivially_copyable_v<Stored> ? nullptr : &relocate_value<Stored>,
      std::is_trivially_destructible_v<Stored> ? nullptr : &destroy_value<Stored>};

  const value_kind* kind_ = nullptr;
  alignas(std::max_align_t) std::byte storage_[storage_size];
};

}  // namespace filch::detail
