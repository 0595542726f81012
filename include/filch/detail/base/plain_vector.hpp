// A growing array for data that crosses the library's boundary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// The part of std::vector that filch needs for that. std::vector has another layout and another
/// name with -D_GLIBCXX_DEBUG; this one is the same with every setting of the standard library, so
/// that a program and libfilch may have different settings
/// (docs/decisions/0010-no-containers-cross.md). Moving an element must not throw.
template <class T>
class plain_vector {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  plain_vector() noexcept = default;
  plain_vector(const plain_vector& other) : plain_vector() {  // delegates: the destructor runs
    reserve(other.size());
    for (const T& element : other) push_back(element);
  }
  plain_vector(plain_vector&& other) noexcept { swap(other); }
  plain_vector& operator=(plain_vector other) noexcept {
    swap(other);
    return *this;
  }
  ~plain_vector() {
    clear();
    std::allocator<T>().deallocate(first_, capacity_);
  }

  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T* begin() noexcept { return first_; }
  T* end() noexcept { return first_ + size_; }
  const T* begin() const noexcept { return first_; }
  const T* end() const noexcept { return first_ + size_; }
  T& operator[](std::size_t i) noexcept { return first_[i]; }
  const T& operator[](std::size_t i) const noexcept { return first_[i]; }
  T& back() noexcept { return first_[size_ - 1]; }

  /// Capacity for `count` elements in all. Throws `std::bad_alloc`; then nothing has changed.
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    const std::size_t more = std::max(count, 2 * capacity_);
    T* const larger = std::allocator<T>().allocate(more);
    std::uninitialized_move(begin(), end(), larger);
    std::destroy(begin(), end());
    std::allocator<T>().deallocate(first_, capacity_);
    first_ = larger;
    capacity_ = more;
  }
  /// Throws `std::bad_alloc` if there is no memory; then nothing has changed.
  void push_back(T element) {
    reserve(size_ + 1);
    std::construct_at(first_ + size_, std::move(element));
    ++size_;
  }
  void pop_back() noexcept { std::destroy_at(first_ + --size_); }
  void clear() noexcept {
    std::destroy(begin(), end());
    size_ = 0;
  }

 private:
  void swap(plain_vector& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace filch::detail
