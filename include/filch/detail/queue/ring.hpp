// The array behind a deque: a power-of-two number of slots, indexed modulo that number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/memory.hpp"
#include "filch/detail/base/to_size.hpp"
#include "filch/detail/base/var.hpp"

namespace filch::detail {

/// A word, and a tag that a thief reads before it decides whether to take the word.
template <class Word, class Tag>
struct tagged {
  Word word;
  Tag tag;
};

/// One slot. It is atomic because a thief may read it while the owner overwrites it. Such a thief
/// then fails to take the index, and drops what it has read.
template <class Word>
class ring_slot {
 public:
  static_assert(atomic<Word>::is_always_lock_free, "a slot that locks would let a thief block");

  void store(Word word) noexcept {
    word_.store(word, std::memory_order_relaxed);  // ordered by publish, grow
  }
  Word load() const noexcept {
    return word_.load(std::memory_order_relaxed);  // ordered by publish, grow
  }

 private:
  atomic<Word> word_{};
};

/// A slot in two pieces: a thief that reads one piece of this item and one of another cannot take
/// either.
template <class Word, class Tag>
class ring_slot<tagged<Word, Tag>> {
 public:
  void store(tagged<Word, Tag> both) noexcept {
    word_.store(both.word);
    tag_.store(both.tag);
  }
  tagged<Word, Tag> load() const noexcept { return {word_.load(), tag_.load()}; }

 private:
  ring_slot<Word> word_;
  ring_slot<Tag> tag_;
};

/// A fixed number of slots for indices that only ever grow; index i lives in slot i & mask.
///
/// The mask is here and not in the deque: so a thread that has the ring has the mask that fits it.
///
/// A ring is one allocation: the slots follow the header.
template <class Word>
class ring {
 public:
  /// A ring of `capacity` slots, a power of two. Any thread. Throws `std::bad_alloc`.
  static ring* make(std::uint64_t capacity) {
    return ::new (allocate(bytes(capacity), alignof(ring))) ring(capacity);
  }

  /// Any thread; no other thread may be using the ring.
  static void destroy(ring* r) noexcept {
    const auto capacity = r->capacity();
    std::destroy_n(r->slots(), capacity);
    r->~ring();
    deallocate(r, bytes(capacity), alignof(ring));
  }

  std::uint64_t capacity() const noexcept { return mask_.get() + 1; }

  /// Owner only.
  void put(std::uint64_t index, Word word) noexcept { slots()[index & mask_.get()].store(word); }

  /// Any thread.
  Word get(std::uint64_t index) const noexcept { return slots()[index & mask_.get()].load(); }

 private:
  explicit ring(std::uint64_t capacity) : mask_(capacity - 1) {
    std::uninitialized_value_construct_n(slots(), capacity);
  }
  ~ring() = default;

  static std::size_t bytes(std::uint64_t capacity) noexcept {
    return sizeof(ring) + to_size(capacity) * sizeof(ring_slot<Word>);
  }
  ring_slot<Word>* slots() noexcept { return reinterpret_cast<ring_slot<Word>*>(this + 1); }
  const ring_slot<Word>* slots() const noexcept {
    return reinterpret_cast<const ring_slot<Word>*>(this + 1);
  }

  // On a line of its own: thieves read it all the time, the owner writes the slots that follow.
  alignas(cache_line_size) var<std::uint64_t> mask_;
};

}  // namespace filch::detail
