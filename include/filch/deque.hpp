// The work-stealing deque: one owner, any number of thieves.
//
// Header-only: it links to nothing, so it can be used without the rest of filch.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/slot.hpp"
#include "filch/detail/queue/steal_status.hpp"

namespace filch {

/// What a steal of one item returns. `item` exists only when `status` is `taken`; `T` need not be
/// default-constructible.
///
///     if (auto s = victim.steal()) run(s.item);
template <class T>
struct steal_result {
  steal_status status;
  union {
    T item;  ///< Only when `status` is `taken`.
  };

  /// A steal that took nothing; `why` is `empty` or `lost`.
  explicit steal_result(steal_status why) noexcept : status(why) {}
  /// A steal that took an item.
  steal_result(std::in_place_t /*taken*/,
               T&& from) noexcept(std::is_nothrow_move_constructible_v<T>)
      : status(steal_status::taken), item(std::move(from)) {}

  steal_result(steal_result&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : status(other.status) {
    if (other) std::construct_at(std::addressof(item), std::move(other.item));
  }
  steal_result(const steal_result& other) requires std::copy_constructible<T>
      : status(other.status) {
    if (other) std::construct_at(std::addressof(item), other.item);
  }
  /// If T's move or copy throws, this holds no item.
  steal_result& operator=(steal_result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this != &other) replace(std::move(other));
    return *this;
  }
  steal_result& operator=(const steal_result& other) requires std::copy_constructible<T> {
    if (this != &other) replace(other);
    return *this;
  }
  ~steal_result() {
    if (*this) std::destroy_at(std::addressof(item));
  }

  /// Was an item taken?
  explicit operator bool() const noexcept { return status == steal_status::taken; }

 private:
  template <class Other>
  void replace(Other&& other) {
    if (*this) std::destroy_at(std::addressof(item));
    status = steal_status::empty;
    if (other) std::construct_at(std::addressof(item), std::forward<Other>(other).item);
    status = other.status;
  }
};

/// What a batch steal returns: `taken` with the number of items, else `empty` or `lost` with 0.
struct batch_result {
  steal_status status;
  std::size_t count;

  /// Was at least one item taken?
  explicit operator bool() const noexcept { return status == steal_status::taken; }
};

template <class T>
class stealer;

/// A deque with one owner and any number of thieves. The owner works at the bottom, like on a
/// stack; thieves take the oldest item from the top.
///
///           top                          bottom
///            | oldest . . . . . . newest |
///    steal <-+                           +<-> push, pop
///
/// How       A Chase-Lev deque (`detail::chase_lev`, which has the invariants and the edges). It
///           doubles when full and shrinks when nearly empty. A `T` that is trivially copyable and
///           at most 8 bytes lives in the ring; any other is boxed: one allocation per push.
/// Threads   push, pop, hand_over and, of `mine`, the batch steals: the owner only. The first
///           thread to push or pop is the owner. All else: any thread. With FILCH_CHECKS a wrong
///           thread aborts with a message that names both.
/// Memory    What the owner did before a push is seen by whoever takes that item. An item is taken
///           exactly once. Nobody may be using a deque that is being destroyed; the items left in
///           it are destroyed with it.
///           An old ring is freed by the last steal that could have seen it: a thief that stalls
///           delays memory, never the owner. While no steal runs, there is no old ring.
/// Cost      push and pop are wait-free, apart from a resize; steal is lock-free. Boxed items, a
///           resize and the steal that frees an old ring also call the allocator. Resizing is
///           amortised constant. bench/micro/deque has the prices.
///
///     filch::deque<int> d;                       // on the owner
///     d.push(1), d.push(2), d.push(3);
///     d.pop();                                   // 3, the newest
///     if (auto s = d.steal()) use(s.item);       // 1, the oldest; on any other thread
///
/// docs/spec/deque.md says what is promised and which test shows it.
template <std::movable T>
class deque {
  using slot = detail::slot<T>;
  using word = typename slot::word;

 public:
  using value_type = T;

  /// Room for `capacity` items before it first grows, rounded up to a power of two (0 counts as 1).
  /// It never shrinks below that.
  /// Throws `std::length_error`, naming the value, if `capacity` is out of reach; `std::bad_alloc`.
  explicit deque(std::size_t capacity = 256) : core_(capacity) {}

  /// For tests: where the indices start, so that they can be seen to wrap.
  deque(std::size_t capacity, detail::first_index first) : core_(capacity, first) {}

  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;

  /// Destroys the items that are left. Any thread; nobody may be using the deque.
  ~deque() {
    if constexpr (!detail::fits_slot<T>) {
      word w;
      while (core_.pop(w)) slot::drop(w);
    }
  }

  /// Adds `item` at the bottom. Owner only.
  /// Throws  `std::bad_alloc` if there is no memory (to grow, or for a box), and what T's move
  ///         throws. Then the deque is as it was, and `item` is destroyed.
  void push(T item) {
    owner_.check("deque::push()");
    const word w = slot::make(std::move(item));
    if constexpr (detail::fits_slot<T>) {
      core_.push(w);
    } else {
      std::unique_ptr<T> box(w);
      core_.push(w);
      (void)box.release();
    }
  }

  /// Takes the newest item, if there is one. Owner only.
  /// Throws  Only what T's move throws; then that item is destroyed.
  std::optional<T> pop() noexcept(nothrow) {
    owner_.check("deque::pop()");
    word w;
    if (!core_.pop(w)) return std::nullopt;
    return slot::template take<std::optional<T>>(w);
  }

  /// Takes the oldest item. Any thread.
  /// Throws  Only what T's move throws; then that item is destroyed.
  steal_result<T> steal() noexcept(nothrow) {
    word w;
    const steal_status status = core_.steal(w);
    if (status != steal_status::taken) return steal_result<T>(status);
    return slot::template take<steal_result<T>>(w);
  }

  /// Moves the oldest items into `mine`: half of them, rounded up, and at most `max`. They arrive
  /// in such an order that mine.steal() hands them out as this deque would have; mine.pop() gives
  /// the youngest of them first. One item at a time, so the owner and other thieves lose nothing to
  /// it, and it may end with fewer. Called by the owner of `mine`. With a `max` of 0, and from a
  /// deque to itself, it takes nothing and says `empty`. Throws  `std::bad_alloc` if `mine` has no
  /// room and cannot grow; then nothing was taken. Items
  ///         are not moved, only handed on: T's move is not called.
  batch_result steal_into(deque& mine, std::size_t max = SIZE_MAX) {
    mine.owner_.check("deque::steal_into() (the receiving deque)");
    const std::size_t goal = share(mine, max);
    mine.core_.reserve(goal);
    return move_to(mine, goal);
  }

  /// Like steal_into(), but the oldest item of all is returned and the rest, at most `max` - 1, go
  /// into `mine`.
  /// Throws  As steal_into(); also what T's move throws, which destroys that one item.
  steal_result<T> steal_one_into(deque& mine, std::size_t max = SIZE_MAX) {
    mine.owner_.check("deque::steal_one_into() (the receiving deque)");
    const std::size_t goal = share(mine, max);
    if (goal == 0) return steal_result<T>(steal_status::empty);
    mine.core_.reserve(goal - 1);
    word first;
    const steal_status status = core_.steal(first);
    if (status != steal_status::taken) return steal_result<T>(status);
    move_to(mine, goal - 1);
    return slot::template take<steal_result<T>>(first);
  }

  /// A guess at the number of items, already stale when it returns. Any thread.
  [[nodiscard]] std::size_t size_hint() const noexcept { return core_.size_hint(); }

  /// A guess whether there are no items. Any thread.
  [[nodiscard]] bool empty_hint() const noexcept { return size_hint() == 0; }

  /// A handle that can only steal. It must not outlive the deque. Any thread.
  [[nodiscard]] stealer<T> get_stealer() noexcept;

  /// Gives up ownership: the next thread to push or pop owns the deque. Owner only. The caller
  /// makes sure that the new owner starts after this call (it starts that thread, or locks a
  /// mutex).
  void hand_over() noexcept { owner_.release("deque::hand_over()"); }

  /// The number of items there is room for now. Owner only.
  [[nodiscard]] std::size_t capacity() const noexcept {
    return static_cast<std::size_t>(core_.capacity());
  }

 private:
  static constexpr bool nothrow = detail::fits_slot<T> || std::is_nothrow_move_constructible_v<T>;

  /// How many items a batch should bring: half of what seems to be there, rounded up.
  std::size_t share(const deque& mine, std::size_t max) const noexcept {
    if (&mine == this) return 0;
    const std::size_t size = size_hint();
    return std::min(max, size / 2 + size % 2);
  }

  /// Hands up to `goal` items to `mine`, which has room for them.
  batch_result move_to(deque& mine, std::size_t goal) noexcept {
    std::size_t count = 0;
    steal_status status = steal_status::empty;
    for (word w; count < goal; ++count) {
      status = core_.steal(w);
      if (status != steal_status::taken) break;
      mine.core_.push(w);
    }
    return {count > 0 ? steal_status::taken : status, count};
  }

  detail::chase_lev<word> core_;
  detail::owner_check owner_;
};

/// A handle to somebody's deque that can only steal: what a thief should be given. Copies are as
/// good as the original. It must not outlive the deque. Every function is for any thread, and does
/// what the deque's function of that name does.
template <class T>
class stealer {
 public:
  explicit stealer(deque<T>& victim) noexcept : victim_(&victim) {}

  steal_result<T> steal() const { return victim_->steal(); }
  batch_result steal_into(deque<T>& mine, std::size_t max = SIZE_MAX) const {
    return victim_->steal_into(mine, max);
  }
  steal_result<T> steal_one_into(deque<T>& mine, std::size_t max = SIZE_MAX) const {
    return victim_->steal_one_into(mine, max);
  }
  [[nodiscard]] std::size_t size_hint() const noexcept { return victim_->size_hint(); }
  [[nodiscard]] bool empty_hint() const noexcept { return victim_->empty_hint(); }

 private:
  deque<T>* victim_;
};

template <std::movable T>
stealer<T> deque<T>::get_stealer() noexcept {
  return stealer<T>(*this);
}

}  // namespace filch
