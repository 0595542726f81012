// Memory for rings, so that the model checker can see a ring that is used after it was freed.
#pragma once

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else
#include <cstddef>
#include <new>
namespace filch::detail {

/// Memory for `bytes` bytes at a multiple of `alignment`. Any thread. Throws `std::bad_alloc`.
inline void* allocate(std::size_t bytes, std::size_t alignment) {
  return ::operator new (bytes, std::align_val_t{alignment});
}

/// Gives back what allocate() returned for the same numbers. Any thread.
inline void deallocate(void* memory, std::size_t /*bytes*/, std::size_t alignment) noexcept {
  ::operator delete (memory, std::align_val_t{alignment});
}

}  // namespace filch::detail
#endif
