// Where a thread leaves the branches of its joins: a stack whose oldest part thieves may take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/queue/steal_status.hpp"

namespace filch::detail {

/// A stack of slots with one owner. The owner pushes and pops at its head, with plain stores and
/// loads; thieves take the oldest slots, if they are public. src/sched/branches.md has the proof.
///
///        base           top            split            head          ready        end
///         |  taken       |   public      |   private      |  free       |            |
///         +--------------+---------------+----------------+-------------+- - - - - - +
///              thieves <-+               +<-- expose      +<-> push, pop
///
/// It is cheap because the owner takes private slots back without a compare-exchange. It is fair
/// because a thief that finds nothing public asks for more (`ask`), and the owner's next push
/// answers by moving the split (`answer`). If the owner does not push, the thief moves the split
/// itself (`expose_for_owner`), at the price of a heavy fence.
///
/// Invariants
///   I1  base <= top <= split <= head, except during a pop and during an exposure. Positions are
///       the low halves of addresses: the slots do not cross a multiple of 4 GiB.
///   I2  top and split share a word. A slot changes hands only by a compare-exchange of that word:
///       a thief moves top past it, or the owner moves split below it.
///   I3  A slot that was taken stays reserved until its owner calls release().
///   I4  While a thief exposes or chooses, split reads `exposing`, and no other thread can take
///       anything. Every pop then takes the slow path, and ends the exposure there (I2).
///   I5  The thread that took a slot reads it, after it took it. steal_if() looks at a slot before
///       that, but only at what is atomic in it.
///
/// Edges (each tag is written at both of its ends)
///   [publish]  push, pop store head_ -> expose_for_owner loads it     the thief may publish those
///              answer, expose_for_owner move split -> steal loads it  a thief sees the slot
///              every store to head_, or moved split -> oldest_hint    the slot is constructed
///   [exposer]  expose_for_owner and steal_if, one after the other
///   [dekker]   pop: store head_, load word_    |  expose_for_owner: word_ = exposing, heavy fence,
///                                              |  load head_
///              push: store head_, load limit_  |  sleeper: ask(), heavy fence, load head_
///              The owner's side has a light fence in between, so one of the two sees the other.
///   [ask]      answer: store limit_, full fence, then the owner looks for sleepers
///              sleeper: count itself, full fence, ask()
///              One sees the other. Otherwise a stack that has been answered could look asked,
///              until another thread asks and hides the answer.
///
/// Without membarrier (`all_public`) every push is answered at once and exposes everything. So a
/// compare-exchange decides each pop, and no light fence is needed.
///
/// It has more functions than other classes, because it is one algorithm: its proof needs all steps
/// of the owner and of thieves in one class. split_stack_slow_path.hpp defines those that a join
/// does not inline.
///
/// After Lace's split deques (van Dijk and van de Pol, 2014); exposure by thieves is filch's own.
template <class Slot>
class split_stack {
 public:
  using position = std::uint32_t;

  /// A closed stack: next() is null.
  constexpr split_stack() noexcept = default;
  split_stack(const split_stack&) = delete;
  split_stack& operator=(const split_stack&) = delete;

  // ---- owner: the fast path ---------------------------------------------------------------------

  /// The slot that the next push() will use; null while the stack is closed.
  Slot* next() const noexcept { return head_.load(std::memory_order_relaxed); }  // own value

  /// May the owner fill and push `count` slots from `h` on, which is next(), at once? Not if a
  /// thief asks: slots that are pushed one by one are answered.
  bool has_capacity(const Slot* h, std::size_t count) const noexcept {
    const Slot* const limit =
        limit_.load(std::memory_order_relaxed);  // orders nothing: push() looks again
    const auto address = [](const Slot* s) { return reinterpret_cast<std::uintptr_t>(s); };
    return address(limit) >= address(h) + count * sizeof(Slot);
  }

  /// The owner has filled `h`, which is next(), and the slots after it, `count` in all: from now on
  /// they may be taken. False if the owner has to call answer().
  bool push(Slot* h, std::size_t count = 1) noexcept {
    head_.store(h + count, std::memory_order_release);  // [publish] [dekker]
    asymmetric_light_fence();
    return h + (count - 1) < limit_.load(std::memory_order_relaxed);  // [dekker] by the fences
  }

  /// `h` is the newest slot. True if it is the caller's again; if not, take_back() decides.
  bool pop(Slot* h) noexcept {
    head_.store(h, std::memory_order_release);  // [publish] [dekker]
    asymmetric_light_fence();
    return at(h) >=
           split_of(word_.load(std::memory_order_relaxed));  // [dekker] ordered by the fences
  }

  // ---- owner: the rest --------------------------------------------------------------------------

  /// Opens the stack on the memory [base, end]; thieves never take the slot at `end`. With
  /// `first_is_public` the slot at `base` stays public from its push to its end, so that the fast
  /// path never decides its pop. `ready` is the last slot that an earlier opening of the same
  /// memory has constructed, or null. Called before other threads know of the stack.
  void open(Slot* base, Slot* end, bool all_public, bool first_is_public,
            Slot* ready = nullptr) noexcept;

  /// Closes the stack, which is empty, and which no other thread looks at any more.
  void close() noexcept;

  /// Is `h` one of the slots that thieves may take?
  bool shares(const Slot* h) const noexcept { return base_ <= h && h < end_; }
  /// Is `h` the first of them?
  bool is_first(const Slot* h) const noexcept { return h == base_; }
  /// Is `h` the slot after those?
  bool is_last(const Slot* h) const noexcept { return h == end_; }
  bool is_open() const noexcept { return base_ != nullptr; }
  /// The slot that was next before the owner opened the stack; null: none.
  Slot* outer() const noexcept { return outer_; }

  /// After push(h) returned false: a thread has asked, or `h` is the last slot that is ready. Makes
  /// older slots public if none is. True if there is something public afterwards. The thread that
  /// asked may sleep by now: so the owner must look for sleepers afterwards, and ask() for those
  /// that still sleep.
  bool answer(Slot* h) noexcept;

  /// From now on a push of `h` or a later slot returns false; with null, only pushes that have to
  /// do. Owner only.
  void hear_from(Slot* h) noexcept {
    heard_from_ = h;
    limit_.store(nullptr, std::memory_order_relaxed);  // own value: as if a thief asked
  }
  /// The last slot that is constructed. Owner only.
  Slot* ready() const noexcept { return ready_; }

  /// Makes everything public that can be. Owner only.
  void expose_all() noexcept { (void)expose(true); }

  /// From now on slots come from `elsewhere`, where no thief takes them, until a pop goes back.
  void go_on_at(Slot* elsewhere) noexcept;
  /// Goes back to a closed stack.
  void go_nowhere() noexcept {
    head_.store(nullptr, std::memory_order_relaxed);  // no other thread looks at a closed stack
  }

  /// After pop(h) returned false. True if `h` is the caller's again; else a thief took it, and it
  /// stays reserved until release(h).
  bool take_back(Slot* h) noexcept;

  /// `h` had been taken, and the owner is done with it: the slots from `h` on are free.
  void release(Slot* h) noexcept {
    head_.store(h, std::memory_order_release);                     // [publish] all is taken
    word_.store(packed(at(h), at(h)), std::memory_order_relaxed);  // orders nothing: it is empty
  }

  // ---- any thread -------------------------------------------------------------------------------

  /// Takes the oldest public slot.
  steal_status steal(Slot*& taken) noexcept;

  /// Takes the oldest slot, public or not, if `accept` says yes to it. To look at a slot before it
  /// is taken is safe only while no thread can take it, use it again, and put the word back as it
  /// was. So this is done as part of an exposure, and there is one exposure at a time.
  template <class Accept>
  steal_status steal_if(Slot*& taken, Accept accept) noexcept;

  /// Asks the owner to make something public with its next push.
  void ask() noexcept {
    if (!asked())
      limit_.store(nullptr, std::memory_order_relaxed);  // [dekker] ordered by the fences
  }
  /// Has a thread asked, and the owner not answered yet?
  bool asked() const noexcept {
    return limit_.load(std::memory_order_relaxed) == nullptr;  // [dekker] [ask] by the fences
  }

  /// A thief makes the owner's private slots public. False if there are none, or another thread
  /// exposes.
  bool expose_for_owner() noexcept;

  /// The oldest slot in use, public or not, or null. It has been constructed, but another thread
  /// may have it by now: the caller can look only at what is atomic in it.
  const Slot* oldest_hint() const noexcept;

  /// Is there anything that could be taken, public or not?
  bool has_work() const noexcept {
    const std::uint64_t x = word_.load(std::memory_order_relaxed);  // ordered by the fences
    return has_public(x) || has_private(x);
  }
  bool has_public() const noexcept {
    return has_public(word_.load(std::memory_order_relaxed));  // orders nothing: a hint
  }

  /// A guess at the number of slots in use and not taken.
  std::size_t size_hint() const noexcept;

 private:
  static constexpr position exposing = ~position{0};
  static constexpr position slot_size = sizeof(Slot);
  static constexpr std::ptrdiff_t slots_at_once = 64;

  static position at(const Slot* s) noexcept {
    return static_cast<position>(reinterpret_cast<std::uintptr_t>(s));
  }
  static position top_of(std::uint64_t x) noexcept { return static_cast<position>(x >> 32); }
  static position split_of(std::uint64_t x) noexcept { return static_cast<position>(x); }
  static constexpr std::uint64_t packed(position top, position split) noexcept {
    return std::uint64_t{top} << 32 | split;
  }
  /// Half of a distance, rounded down to whole slots.
  static position half(position distance) noexcept { return distance / slot_size / 2 * slot_size; }
  static bool has_public(std::uint64_t x) noexcept {
    return split_of(x) != exposing && top_of(x) < split_of(x);
  }
  /// Where the private slots begin. During an exposure the split is the top (I4).
  static position private_from(std::uint64_t x) noexcept {
    return split_of(x) == exposing ? top_of(x) : split_of(x);
  }
  bool has_private(std::uint64_t x) const noexcept {
    const position h = shared(head_.load(std::memory_order_relaxed));  // ordered by the fences
    return h > private_from(x);
  }

  void make_ready(std::ptrdiff_t more) noexcept {
    for (; more > 0; --more) std::construct_at(++ready_);
  }

  /// The head as thieves see it: slots elsewhere do not count.
  position shared(const Slot* h) const noexcept {
    return at(base_ <= h && h <= end_ ? h : h == nullptr ? base_ : end_);
  }

  /// The owner moves the split up, past half of the private slots or all of them.
  bool expose(bool all) noexcept;

  bool enter_as_exposer() noexcept {
    return exposer_.load(std::memory_order_relaxed) == 0 &&       // orders nothing: a hint
           exposer_.exchange(1, std::memory_order_acquire) == 0;  // [exposer]
  }
  void leave_as_exposer() noexcept { exposer_.store(0, std::memory_order_release); }  // [exposer]

  /// The part of steal_if() that an exposer runs.
  template <class Accept>
  steal_status choose(Slot*& taken, Accept& accept) noexcept;

  /// The part of expose_for_owner() that an exposer runs: the other half of [dekker].
  bool move_split() noexcept;

  // The owner's line. Thieves read it when they find nothing public.
  alignas(cache_line_size) atomic<Slot*> head_{nullptr};
  // What the owner reads and thieves write, when they take or ask.
  alignas(cache_line_size) atomic<std::uint64_t> word_{packed(0, exposing)};
  atomic<Slot*> limit_{nullptr};  // a push below it does not answer; null: a thief asked
  atomic<std::uint32_t> exposer_{0};
  bool all_public_ = false;
  position floor_ = 0;
  Slot* base_ = nullptr;
  Slot* end_ = nullptr;
  Slot* outer_ = nullptr;  // where the owner was before it opened the stack: nowhere, or elsewhere
  Slot* ready_ = nullptr;  // the last slot that was constructed
  Slot* heard_from_ = nullptr;  // pushes from this slot on are heard; null: none for this reason
};

}  // namespace filch::detail
