// Memory for small tasks, kept by the worker that spawns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/pages.hpp"
#include "filch/detail/base/sanitizer.hpp"

namespace filch::detail {

/// Blocks of one size. One thread, the owner, takes them; any thread may give them back. The owner
/// reuses a block that it gave back itself at once. It takes all blocks that others gave back in
/// one step, when it has no other: so threads do not contend for a cache line. Blocks lie in slabs.
/// A slab knows its owner, and is freed with the cache. The number of slabs is limited
/// (`most_slabs`), so that a burst of tasks does not keep its memory.
///
/// Edge
///   [return]  give_back() pushes -> take() takes all   the last use of the block is over
template <std::size_t Size>
class block_cache {
 public:
  block_cache() = default;
  block_cache(const block_cache&) = delete;
  block_cache& operator=(const block_cache&) = delete;
  ~block_cache() {
    while (slabs_ != nullptr) slabs_ = slab::destroy(slabs_);
  }

  /// Null if all blocks are in use, and there is either no memory for another slab or no slab left
  /// to add. Owner only.
  void* take() noexcept {
    tsan_acquire(this);  // a guest may get a block that the guest in its slot before put back
    const sanitizer_hidden hidden;
    msan_written(*this);  // by the library, for a guest
    if (free_ == nullptr) [[unlikely]] {
      refill();
      if (free_ == nullptr) return nullptr;
    }
    return std::exchange(free_, free_->next);
  }

  /// `block` came from take() of this cache. Owner only.
  void put_back(void* block) noexcept {
    tsan_release(this);  // as in take()
    const sanitizer_hidden hidden;
    free_ = ::new (block) free_block{free_};
  }

  /// `block` came from take() of some cache. Any thread; `mine` is the calling thread's cache.
  static void give_back(void* block, block_cache& mine) noexcept {
    block_cache& home = owner_of(block);
    if (&home == &mine)
      mine.put_back(block);
    else
      home.receive(::new (block) free_block{nullptr});
  }

 private:
  struct free_block {
    free_block* next;
  };

  /// The header of a piece of memory that is aligned to its size. The blocks follow it.
  struct alignas(Size) slab {
    static constexpr std::size_t size = std::size_t{1} << 16;

    block_cache* owner;
    slab* next;
    pages memory;

    static slab* of(void* block) noexcept {
      const auto bits = reinterpret_cast<std::uintptr_t>(block);
      return reinterpret_cast<slab*>(bits - bits % size);  // NOLINT(*-int-to-ptr)
    }
    static slab* destroy(slab* s) noexcept {
      slab* const next = s->next;
      const pages memory = std::move(s->memory);
      std::destroy_at(s);
      return next;
    }
  };

  static block_cache& owner_of(void* block) noexcept {
    const sanitizer_hidden hidden;
    return *slab::of(block)->owner;
  }

  void receive(free_block* b) noexcept {
    free_block* below = returned_.load(std::memory_order_relaxed);  // orders nothing: retried below
    do {
      b->next = below;
    } while (
        !returned_.compare_exchange_weak(below, b, std::memory_order_release,  // [return]
                                         std::memory_order_relaxed));  // orders nothing: retried
  }

  [[gnu::cold, gnu::noinline]] void refill() noexcept {
    free_ = returned_.exchange(nullptr, std::memory_order_acquire);  // [return]
    if (free_ != nullptr || slab_count_ == most_slabs) return;
    try {
      add_slab(msan_returned(pages(slab::size)));
      ++slab_count_;
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  void add_slab(pages memory) noexcept {
    auto* const at = static_cast<std::byte*>(memory.start());
    slabs_ = ::new (at) slab{this, slabs_, std::move(memory)};
    for (std::size_t offset = slab::size; offset > sizeof(slab);) {
      offset -= Size;
      free_ = ::new (at + offset) free_block{free_};
    }
  }

  static constexpr std::size_t most_slabs = 64;

  free_block* free_ = nullptr;
  std::size_t slab_count_ = 0;
  slab* slabs_ = nullptr;
  alignas(no_sharing_size) atomic<free_block*> returned_{nullptr};
};

}  // namespace filch::detail
