// The work-stealing deque itself, for items of one machine word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/queue/counted_rings.hpp"
#include "filch/detail/queue/ring.hpp"
#include "filch/detail/queue/steal_status.hpp"

namespace filch::detail {

/// Where the indices of a deque start. Tests start them just before they wrap.
struct first_index {
  std::uint64_t value = 0;
};

/// A growing and shrinking Chase-Lev deque. The owner pushes and pops at the bottom, thieves take
/// from the top.
///
///           top_                        bottom_
///            | oldest . . . . . . newest |
///    steal <-+                           +<-> push, pop
///
/// Invariants
///   I1  top_ never decreases. (Indices are 64 bits and may wrap: only differences are compared.)
///   I2  The items present are those at indices [top_, bottom_). (While it pops, the owner has
///       bottom_ one lower than that.)
///   I3  Thieves write top_ only. Everything else is written by the owner.
///   I4  top_seen_ <= top_: it is an older value, so that push and an empty pop need not load the
///       line that thieves write.
///   I5  The thread that moves top_ past an index takes it. Or the owner takes it without moving
///       top_, if top_ was still below it after bottom_ had been lowered to it.
///   I6  A ring that was current holds every item that was present while it was, at that item's
///       index, for as long as a thief may read it: the owner writes to the current ring only.
///
/// Edges (each tag is written at both of its ends)
///   [publish]  push, pop store bottom_ -> steal loads bottom_   a thief sees the slot it takes
///   [reuse]    steal moves top_        -> push loads top_       no slot is overwritten unread
///   [grow]     see counted_rings                                a thief sees the copied slots
///   [dekker]   pop: store bottom_, load top_  |  steal: load top_, load bottom_, move top_
///              All seq_cst, so that one of the two sees the other, and exactly one of them gets
///              index bottom_ - 1 (I5). The proof is in docs/spec/deque.md.
///   [last]     pop moves top_ -> steal loads top_   a thief that sees the owner take the last item
///              by moving top_ also sees every earlier lowering of bottom_
///
/// There are no fences, so ThreadSanitizer sees every edge. `Rings` decides when old rings are
/// freed.
///
/// It has 25 functions, because it is one algorithm: its proof needs all steps
/// of the owner and of thieves in one class.
///
/// After Chase and Lev (SPAA 2005); the weak-memory argument follows Lê et al. (PPoPP 2013).
template <class Word, class Rings = counted_rings<Word>>
class chase_lev {
  using ring_type = ring<Word>;
  using index = std::uint64_t;

 public:
  static constexpr std::uint64_t max_capacity = std::uint64_t{1} << Rings::max_level;

  /// `capacity` is rounded up to a power of two. The deque never shrinks below that.
  /// Throws `std::length_error` if `capacity` is more than `max_capacity`, else `std::bad_alloc`.
  explicit chase_lev(std::size_t capacity, first_index first = {})
      : floor_(rounded(capacity)), rings_(ring_type::make(floor_)), top_(first.value) {
    ring_ = rings_.current();
    bottom_.store(first.value, std::memory_order_relaxed);  // no other thread yet
    saw_top(first.value);
  }
  chase_lev(const chase_lev&) = delete;
  chase_lev& operator=(const chase_lev&) = delete;
  ~chase_lev() = default;

  /// Adds `word` at the bottom. Owner only. Throws `std::bad_alloc`, and changes nothing, if the
  /// deque is full and cannot grow.
  void push(Word word) {
    const index b = bottom_.load(std::memory_order_relaxed);  // own value
    if (b == full_at_) [[unlikely]]
      make_room(b, 1);
    ring_->put(b, word);
    bottom_.store(b + 1, std::memory_order_release);  // [publish]
  }

  /// For MemorySanitizer: the library may have made the ring. Owner only.
  void msan_written_by_library() const noexcept {
    if constexpr (FILCH_MSAN == 1) msan_written(*ring_);
  }

  /// Makes sure that the next `count` pushes cannot throw. Owner only. Throws like push.
  void reserve(std::uint64_t count) {
    const index b = bottom_.load(std::memory_order_relaxed);  // own value
    if (count > full_at_ - b) make_room(b, count);
  }

  /// Takes the newest word; false if there is none. Owner only.
  bool pop(Word& word) noexcept {
    const index b = bottom_.load(std::memory_order_relaxed) - 1;  // own value
    if (b + 1 == top_seen_) return false;                         // I4: certainly empty
    return pop_at(b, word);
  }

  /// The same, if its index is `first` or later. Owner only.
  bool pop_since(std::uint64_t first, Word& word) noexcept {
    const index b = next_index() - 1;
    return signed_distance(first, b) >= 0 && pop_at(b, word);
  }

  /// The same, if `accept` says yes to it. Owner only.
  template <class Accept>
  bool pop_if(Word& word, Accept accept) noexcept {
    const index b = bottom_.load(std::memory_order_relaxed) - 1;  // own value
    if (b + 1 == top_seen_ || !accept(ring_->get(b))) return false;
    return pop(word);
  }

  /// Does `accept` say yes to the newest word? Owner only.
  template <class Accept>
  bool newest_is(Accept accept) const noexcept {
    const index b = bottom_.load(std::memory_order_relaxed) - 1;  // own value
    return size_hint() != 0 && accept(ring_->get(b));
  }

  /// Changes words in place, the newest first, for as long as `change` says yes. Both the old and
  /// the new word must be right for a thief. Owner only.
  template <class Change>
  void change_newest(Change change) noexcept {
    for (index i = bottom_.load(std::memory_order_relaxed); i != top_seen_;) {  // own value
      Word word = ring_->get(--i);
      if (!change(word)) return;
      ring_->put(i, word);
    }
  }

  /// Takes the oldest word. Any thread.
  steal_status steal(Word& word) noexcept {
    return steal_if(word, [](const Word&) { return true; });
  }

  /// The same, if `accept` says yes to it; `empty` if it says no. `accept` may be given a word that
  /// another thread takes. Any thread.
  template <class Accept>
  steal_status steal_if(Word& word, Accept accept) noexcept {
    index t = top_.load(std::memory_order_seq_cst);           // [dekker] [last]
    const index b = bottom_.load(std::memory_order_seq_cst);  // [dekker] [publish]
    if (signed_distance(t, b) <= 0) return steal_status::empty;

    // Read before claiming: once top_ moves, the owner may reuse the slot.
    const Word read = typename Rings::visit(rings_)->get(t);
    if (!accept(read)) return steal_status::empty;
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,  // [dekker] [reuse]
                                      std::memory_order_relaxed))           // value unused
      return steal_status::lost;
    word = read;
    return steal_status::taken;
  }

  /// A guess at the number of items, already stale when it returns. Any thread.
  std::size_t size_hint() const noexcept {
    const index b = bottom_.load(std::memory_order_relaxed);  // orders nothing: a hint
    const index t = top_.load(std::memory_order_relaxed);     // orders nothing: a hint
    const auto size = signed_distance(t, b);
    return size > 0 ? static_cast<std::size_t>(size) : 0;
  }

  /// The index that the next push will have. Owner only.
  std::uint64_t next_index() const noexcept {
    return bottom_.load(std::memory_order_relaxed);  // own value
  }

  /// The number of slots now. Owner only.
  std::uint64_t capacity() const noexcept { return ring_->capacity(); }

 private:
  /// How far `to` lies behind `from`; negative if it lies before. Right across the wrap.
  static std::int64_t signed_distance(index from, index to) noexcept {
    return static_cast<std::int64_t>(to - from);
  }

  /// pop, of the index before bottom_, which may hold no item.
  bool pop_at(index b, Word& word) noexcept {
    const index t = lower_bottom_to(b);
    if (signed_distance(t, b) < few_) [[unlikely]] {
      Word newest;  // NOLINT(*-member-init): `word` itself, if its address went anywhere, would
                    // have to be in memory
      if (!pop_of_few(t, b, newest)) return false;
      word = newest;
      return true;
    }
    word = ring_->get(b);  // not the last item, so by [dekker] no thief can reach index b
    return true;
  }

  /// pop, when at most one item was left, or the ring is too large for the items present.
  [[gnu::cold, gnu::noinline]] bool pop_of_few(index t, index b, Word& word) noexcept {
    if (signed_distance(t, b) <= 0) return pop_last(t, b, word);
    word = ring_->get(b);  // as above
    shrink(t, b);
    return true;
  }

  /// Announces that index `b` is about to be popped, and returns the top after that.
  index lower_bottom_to(index b) noexcept {
    bottom_.store(b, std::memory_order_seq_cst);  // [dekker] [publish]
    return top_.load(std::memory_order_seq_cst);  // [dekker]
  }

  /// The owner learns that the top has been `t`. Pushes need not load the top again until the ring
  /// would be full with that value.
  void saw_top(index t) noexcept {
    top_seen_ = t;
    full_at_ = t + ring_->capacity();
  }

  static std::uint64_t rounded(std::size_t capacity) {
    if (capacity > max_capacity)
      throw std::length_error("filch::deque: a capacity of " + std::to_string(capacity) +
                              " items was asked for; at most " + std::to_string(max_capacity) +
                              " are possible");
    return std::bit_ceil(std::max<std::uint64_t>(capacity, 1));
  }

  /// pop, when at most one item was left. `top_` was `t` after `bottom_` had become `b`.
  bool pop_last(index t, index b, Word& word) noexcept {
    bool won = false;
    if (index oldest = t; oldest == b) {  // one item: the thread that moves top_ has it
      word = ring_->get(b);
      won = top_.compare_exchange_strong(oldest, b + 1, std::memory_order_release,  // [last]
                                         std::memory_order_relaxed);                // value unused
    }
    bottom_.store(b + 1, std::memory_order_release);  // [publish] the deque is empty: undo
    // `t` and not b + 1 after a lost race: the failed compare-exchange acquired nothing, so [reuse]
    // would not hold. (In a new ring it would: no earlier thief reads its slots.)
    saw_top(won ? b + 1 : t);
    if (sparse_below_ != 0) shrink(b + 1, b + 1);
    return won;
  }

  /// Makes sure that `count` more items fit from index `b` on: grows, unless they fit already.
  [[gnu::cold, gnu::noinline]] void make_room(index b, std::uint64_t count) {
    saw_top(top_.load(std::memory_order_acquire));  // [reuse]
    const std::uint64_t size = b - top_seen_;
    if (count > max_capacity - size) throw std::bad_alloc();
    if (size + count > ring_->capacity())
      resize(top_seen_, b, std::bit_ceil(size + count));
    else if (size + count < sparse_below_)
      shrink(top_seen_, b, count);
  }

  /// Gives memory back: the items [t, b) fill so little of the ring that a quarter of it is enough.
  /// The deque grows again after as many pushes as there are items now, and shrinks again after as
  /// many takes as leave half of them. So the copies cost constant time per operation. Failing to
  /// shrink is not an error; the owner tries again after enough operations to pay for that.
  [[gnu::cold, gnu::noinline]] void shrink(index t, index b, std::uint64_t extra = 0) noexcept {
    if (shrink_pause_ > 0) {
      --shrink_pause_;
      return;
    }
    const std::uint64_t smaller = std::max(floor_, std::bit_ceil(2 * (b - t + extra)));
    shrink_pause_ = ring_->capacity() / 8;
    if (!rings_.may_shrink_to(static_cast<unsigned>(std::countr_zero(smaller)))) return;
    try {
      resize(t, b, smaller);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  /// Moves the items [t, b) to a new ring. Throws `std::bad_alloc` and changes nothing.
  void resize(index t, index b, std::uint64_t capacity) {
    ring_type* next = ring_type::make(capacity);
    for (index i = t; i != b; ++i) next->put(i, ring_->get(i));
    rings_.replace(next);  // [grow] the old ring may be gone
    ring_ = next;
    saw_top(t);
    sparse_below_ = capacity > floor_ ? capacity / 8 : 0;
    few_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(sparse_below_));
    shrink_pause_ = 0;
  }

  // The owner's line. Thieves read bottom_, and nothing else of it.
  alignas(no_sharing_size) atomic<index> bottom_{0};
  index top_seen_ = 0;              // I4
  index full_at_ = 0;               // top_seen_ + capacity: a push at this index has to look
  ring_type* ring_ = nullptr;       // rings_.current(), without asking
  std::int64_t few_ = 1;            // a pop that leaves fewer has to look: sparse_below_, or 1
  std::uint64_t sparse_below_ = 0;  // with fewer items than this the ring is too large; 0 = never
  std::uint64_t shrink_pause_ = 0;  // sparse operations to let pass before shrinking is tried again
  std::uint64_t floor_;
  Rings rings_;
  // The thieves' line.
  alignas(no_sharing_size) atomic<index> top_;
};

}  // namespace filch::detail
