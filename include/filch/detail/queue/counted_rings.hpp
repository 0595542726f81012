// Which ring a deque uses, and when an old one may be freed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/queue/ring.hpp"

namespace filch::detail {

/// The rings of one deque: the current one, and old ones that a slow thief may still be reading.
///
///     gate_   { visits : 58 | entry : 6 }     which entry is current, and how many visits it had
///                          |
///     entries_   [0] ring, left    [1] ring, left    [2] -    ...
///
/// A thief begins a visit by adding one to the gate. That single step tells it the current entry
/// and counts it there. So at no moment does it hold a ring that has not counted it. When it has
/// read its slot, it adds one to `left` of that entry.
///
/// The owner retires a ring by exchanging the gate for the next entry. The old value has the exact
/// number of visits that the old ring ever had. The owner subtracts that number from `left`. The
/// thread that brings `left` to zero, owner or thief, is the last one that could touch the ring,
/// and frees it at once, without waiting for another thread. A thief that stalls keeps the rings
/// that it could have seen, and delays no other thread.
///
/// Invariants
///   P1  An entry is free when its ring is null; then its `left` is zero.
///   P2  While a ring is current its `left` is the number of visits that ended: never zero after
///       an increment. Once it is retired, `left` is minus the number of visits still running.
///   P3  There is a free entry for each time that the current ring can still double in size, so
///       that growing never lacks one. Only shrinking can use entries up; may_shrink_to() refuses.
///
/// Edges (each tag is written at both of its ends)
///   [grow]   replace() exchanges gate_ -> a visit adds to gate_     a thief sees the copied slots
///   [drain]  a visit ends, a ring is retired -> the ring is freed   the last use precedes the free
template <class Word>
class counted_rings {
  struct entry;

 public:
  using ring_type = ring<Word>;

  /// Rings hold at most 2^max_level slots: a petabyte of pointers.
  static constexpr unsigned max_level = 47;

  /// Takes `first`, which becomes the current ring.
  explicit counted_rings(ring_type* first) noexcept {
    entries_[0].occupant.store(first, std::memory_order_relaxed);  // no other thread yet
  }
  counted_rings(const counted_rings&) = delete;
  counted_rings& operator=(const counted_rings&) = delete;

  /// No visit may be running, so every ring but the current one has been freed.
  ~counted_rings() { ring_type::destroy(current()); }

  /// The ring in use. Owner only.
  ring_type* current() const noexcept {
    return entries_[current_].occupant.load(std::memory_order_relaxed);  // own value
  }

  /// Would there still be an entry for every later growth? Owner only.
  bool may_shrink_to(unsigned level) const noexcept {
    std::size_t free = 0;
    for (const entry& p : entries_) free += p.is_free() ? 1U : 0U;
    return free > max_level - level;  // P3, after one more entry is taken
  }

  /// Makes `next`, which holds a copy of every item, the current ring, and retires the old one.
  /// Owner only.
  void replace(ring_type* next) noexcept {
    unsigned to = 0;
    while (!entries_[to].is_free()) ++to;                          // ends, by P3
    entries_[to].occupant.store(next, std::memory_order_relaxed);  // ordered by grow

    const std::uint64_t before = gate_.exchange(to, std::memory_order_release);  // [grow]
    const auto visits = static_cast<std::int64_t>(before >> index_bits);
    entry& old = entries_[current_];
    current_ = to;
    if (old.left.fetch_sub(visits, std::memory_order_acq_rel) == visits) free_ring(old);  // [drain]
  }

  /// A thief's visit of the current ring. Any thread.
  class visit {
   public:
    explicit visit(counted_rings& rings) noexcept
        : at_(rings
                  .entries_[rings.gate_.fetch_add(one_visit, std::memory_order_acquire) &  // [grow]
                            index_mask]) {}
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
      if (at_.left.fetch_add(1, std::memory_order_acq_rel) == -1) free_ring(at_);  // [drain] P2
    }

    const ring_type* operator->() const noexcept {
      return at_.occupant.load(std::memory_order_relaxed);  // ordered by grow
    }

   private:
    entry& at_;
  };

 private:
  struct entry {
    atomic<ring_type*> occupant{nullptr};
    atomic<std::int64_t> left{0};

    bool is_free() const noexcept {
      return occupant.load(std::memory_order_relaxed) == nullptr;  // orders nothing: an entry is
    }                                                              // taken by the owner only
  };

  static void free_ring(entry& p) noexcept {
    ring_type* last = p.occupant.load(std::memory_order_relaxed);  // ordered by drain
    p.occupant.store(nullptr, std::memory_order_relaxed);          // orders nothing: see is_free()
    ring_type::destroy(last);
  }

  static constexpr unsigned index_bits = 6;
  static constexpr std::uint64_t one_visit = std::uint64_t{1} << index_bits;
  static constexpr std::uint64_t index_mask = one_visit - 1;
  static_assert(one_visit > max_level, "P3 has to hold for the smallest first ring");

  unsigned current_ = 0;  // owner's copy of the gate's entry
  alignas(no_sharing_size) atomic<std::uint64_t> gate_{
      0};  // thieves write it, so it has its own line
  alignas(no_sharing_size) std::array<entry, one_visit> entries_;
};

}  // namespace filch::detail
