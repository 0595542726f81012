// Memory for objects that an algorithm needs temporarily.
#pragma once

#include <new>

#include "filch/detail/base/finally.hpp"
#include "filch/detail/loop/blocks.hpp"

namespace filch::detail {

/// Uninitialised memory for `n` objects, or none if the allocation failed. Without it the algorithm
/// works in place, or throws `std::bad_alloc` before it has changed anything.
///
///     scratch<T> copy(n);
///     if (!copy) return in_place(...);
///     copy.fill(fork, blocks, o, [&](T* to, std::size_t first, std::size_t last) {
///       std::uninitialized_move(at(begin, first), at(begin, last), to);
///     });
template <class T>
class scratch {
 public:
  explicit scratch(std::size_t n) noexcept : size_(n) {
    if (n <= std::numeric_limits<std::size_t>::max() / 2 / sizeof(T) && n != 0)
      data_ = static_cast<T*>(allocate(n * sizeof(T)));
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    if (filled_) std::destroy_n(data_, size_);
    free(data_);
  }

  /// Is there memory? For zero objects always.
  explicit operator bool() const noexcept { return data_ != nullptr || size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T* data() const noexcept { return data_; }
  T* begin() const noexcept { return data_; }
  T* end() const noexcept { return data_ + size_; }

  /// Calls make(to, first, last) for every block, several at once. It constructs the objects
  /// [first, last) from `to` on: all, or none if it throws. If one call throws, the objects that
  /// were made are destroyed. Otherwise they live until this is destroyed or set_filled(false) is
  /// called.
  ///
  /// Elements that were moved out of the input by then stay moved out. A caller that promises more
  /// moves only elements whose move cannot throw.
  template <fork_policy Fork, std::invocable<T*, std::size_t, std::size_t> Make>
  void fill(const Fork& fork, const even_blocks& blocks, const options& o, Make&& make) {
    if constexpr (std::is_trivially_destructible_v<T>) {
      for_each_block(fork, blocks, o, [&](std::size_t, std::size_t first, std::size_t last) {
        make(data_ + first, first, last);
      });
    } else {
      // The blocks whose objects have been made.
      const auto made = std::make_unique<bool[]>(blocks.count());
      const finally undo([&] {
        for (std::size_t b = 0; !filled_ && b != blocks.count(); ++b)
          if (made[b]) std::destroy(data_ + blocks[b], data_ + blocks[b + 1]);
      });
      for_each_block(fork, blocks, o, [&](std::size_t b, std::size_t first, std::size_t last) {
        make(data_ + first, first, last);
        made[b] = true;
      });
      filled_ = true;
    }
  }

  /// The caller has constructed all objects, or (false) has destroyed them.
  void set_filled(bool filled) noexcept { filled_ = filled; }

 private:
  static constexpr bool over_aligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  static void* allocate(std::size_t bytes) noexcept {
    if constexpr (over_aligned)
      return ::operator new (bytes, std::align_val_t{alignof(T)}, std::nothrow);
    else
      return ::operator new(bytes, std::nothrow);
  }
  static void free(void* p) noexcept {
    if constexpr (over_aligned)
      ::operator delete (p, std::align_val_t{alignof(T)});
    else
      ::operator delete(p);
  }

  std::size_t size_;
  T* data_ = nullptr;
  bool filled_ = false;
};

}  // namespace filch::detail
