// Large pieces of memory that cost nothing until they are used.
#pragma once

#include <cstddef>
#include <utility>

namespace filch::detail {

/// Zeroed memory straight from the system, at a multiple of its own size. The destructor gives it
/// back. A part that is not touched uses addresses, but no memory.
class pages {
 public:
  pages() = default;
  /// `size` is a power of two and a multiple of the page size. Throws `std::bad_alloc`.
  explicit pages(std::size_t size);
  pages(pages&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  pages& operator=(pages&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~pages();

  void* start() const noexcept { return start_; }
  std::size_t size() const noexcept { return size_; }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace filch::detail
