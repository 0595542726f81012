// Objects that were made in memory of another owner, without their type.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace filch::detail {

/// What the library needs to know about the type of objects.
struct item_kind {
  std::size_t size;
  std::size_t alignment;
  void (*destroy)(void* first, std::size_t count) noexcept;  ///< Null if there is nothing to do.
};

template <class T>
void destroy_items(void* first, std::size_t count) noexcept {
  std::destroy_n(static_cast<T*>(first), count);
}
template <class T>
inline constexpr item_kind kind_of{
    sizeof(T), alignof(T), std::is_trivially_destructible_v<T> ? nullptr : &destroy_items<T>};

/// Adjacent objects, which are destroyed with this unless released. It is the same type for objects
/// of any type, so that the loops that pass it on are compiled once, in the library.
class made_items {
 public:
  template <class T>
  explicit made_items(T* first, std::size_t count = 0) noexcept
      : first_(first), count_(count), kind_(&kind_of<T>) {}
  made_items(made_items&& other) noexcept
      : first_(other.first_), count_(std::exchange(other.count_, 0)), kind_(other.kind_) {}
  made_items& operator=(made_items&&) = delete;
  ~made_items() {
    if (kind_->destroy != nullptr) kind_->destroy(first_, count_);
  }

  /// make(slot) constructs one more T at `slot`, behind the others.
  template <class T, class Make>
  [[gnu::always_inline]] void add(const Make& make) {
    make(static_cast<T*>(first_) + count_);
    ++count_;
  }
  /// make(slot, k) constructs object number `k` of `n` at slot + k, behind the others. An exception
  /// leaves the objects that it has made behind.
  template <class T, class Make>
  [[gnu::always_inline]] void add_many(std::size_t n, const Make& make) {
    T* const slot = static_cast<T*>(first_) + count_;
    for (std::size_t k = 0; k != n; ++k) make(slot, k);
    count_ += n;
  }
  /// Takes over the objects of the right neighbour.
  void append(made_items&& right) noexcept { count_ += right.release(); }
  std::size_t release() noexcept { return std::exchange(count_, 0); }

 private:
  void* first_;
  std::size_t count_;
  const item_kind* kind_;
};

}  // namespace filch::detail
