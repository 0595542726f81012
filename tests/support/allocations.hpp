// Counts the allocations of this program, and makes chosen ones fail.
//
// It replaces the global operator new and delete, so exactly one file of a program includes it.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace filch::test {

/// Allocations through operator new, by all threads together.
struct allocation_counts {
  std::size_t made;          ///< Allocations so far.
  std::size_t live_blocks;   ///< Blocks not yet freed,
  std::size_t live_aligned;  ///< those among them with more than the usual alignment (rings),
  std::size_t live_bytes;    ///< and their bytes, with what malloc adds by rounding up.
};

// Not inlined: otherwise g++ sees a free() of memory from operator new, and warns.
namespace allocation_state {
inline std::atomic<std::size_t> made = 0, freed = 0, aligned_made = 0, aligned_freed = 0, bytes = 0;
inline thread_local std::size_t failures_after = 0;  // allocations that succeed before the failures
inline thread_local std::size_t failures_left = 0;
inline thread_local std::size_t failures_seen = 0;

[[gnu::noinline]] inline void* allocate(std::size_t size, std::size_t alignment) {
  if (failures_left > 0) {
    if (failures_after > 0) {
      --failures_after;
    } else {
      --failures_left;
      ++failures_seen;
      return nullptr;
    }
  }
  if (size > (std::size_t{1} << 40)) return nullptr;  // the sanitizers would abort
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(size == 0 ? 1 : size);
  } else {
    memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory != nullptr) ++aligned_made;
  }
  if (memory == nullptr) return nullptr;
  ++made;
  bytes += malloc_usable_size(memory);
  return memory;
}

[[gnu::noinline]] inline void deallocate(void* memory, bool aligned) noexcept {
  if (memory == nullptr) return;
  ++freed;
  if (aligned) ++aligned_freed;
  bytes -= malloc_usable_size(memory);
  std::free(memory);
}
}  // namespace allocation_state

inline allocation_counts allocations() {
  namespace s = allocation_state;
  return {s::made, s::made - s::freed, s::aligned_made - s::aligned_freed, s::bytes};
}

/// While it lives, allocation number `k` from now (1 is the next) of this thread, and the `count` -
/// 1 after it, throw `std::bad_alloc`. At most one object per thread at a time.
class fail_allocation {
 public:
  static constexpr std::size_t for_ever = static_cast<std::size_t>(-1);

  explicit fail_allocation(std::size_t k, std::size_t count = 1) {
    allocation_state::failures_after = k - 1;
    allocation_state::failures_seen = 0;
    allocation_state::failures_left = count;
  }
  fail_allocation(const fail_allocation&) = delete;
  fail_allocation& operator=(const fail_allocation&) = delete;
  ~fail_allocation() { allocation_state::failures_left = 0; }

  /// How many allocations have failed so far.
  static std::size_t seen() { return allocation_state::failures_seen; }
};

}  // namespace filch::test

// The replacements. By default the array forms call these. The nothrow forms would too, except
// those of AddressSanitizer.
void* operator new(std::size_t size) {
  if (void* memory = filch::test::allocation_state::allocate(size, 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* memory =
          filch::test::allocation_state::allocate(size, static_cast<std::size_t>(alignment)))
    return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return filch::test::allocation_state::allocate(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return filch::test::allocation_state::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  filch::test::allocation_state::deallocate(memory, false);
}
void operator delete(void* memory, std::size_t) noexcept {
  filch::test::allocation_state::deallocate(memory, false);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  filch::test::allocation_state::deallocate(memory, true);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  filch::test::allocation_state::deallocate(memory, true);
}
