// Raw memory for objects that an algorithm needs temporarily.
#pragma once

#include <limits>
#include <new>

#include "filch/detail/base/huge_pages.hpp"

namespace filch::detail {

/// Raw memory for `n` objects, or none if the allocation failed. Without it the algorithm works in
/// place, or throws `std::bad_alloc` before it has changed anything. The code that constructs
/// objects here also destroys them.
template <class T>
class raw_memory {
 public:
  explicit raw_memory(std::size_t n) noexcept : size_(n) {
    if (n == 0 || n > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) return;
    // Large memory is aligned to 2 MiB, so that it can consist of huge pages: touching 80 MB for
    // the first time in pages of 4 KiB costs a tenth of the time to sort them.
    if (n * sizeof(T) >= 2 * huge_page) alignment_ = std::align_val_t{huge_page};
    memory_ = static_cast<T*>(::operator new(n * sizeof(T), alignment_, std::nothrow));
    if (memory_ != nullptr && n * sizeof(T) >= 2 * huge_page)
      want_huge_pages(memory_, n * sizeof(T));
  }
  raw_memory(const raw_memory&) = delete;
  raw_memory& operator=(const raw_memory&) = delete;
  ~raw_memory() { ::operator delete(memory_, alignment_); }

  /// Is there memory? For zero objects always.
  explicit operator bool() const noexcept { return memory_ != nullptr || size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T* data() const noexcept { return memory_; }

 private:
  std::size_t size_;
  T* memory_ = nullptr;
  std::align_val_t alignment_{alignof(T) < 64 ? 64 : alignof(T)};
};

}  // namespace filch::detail
