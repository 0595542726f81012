// The work-stealing deque: one owner, any number of thieves.
//
// Header-only: it needs no library to link, so it can be used without the rest of filch.
#pragma once

#include "filch/detail/base/config.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/slot.hpp"
#include "filch/detail/queue/steal_status.hpp"

namespace filch {

/// The result of a steal of one item. `item` exists only when `status` is `taken`; `T` need not be
/// default-constructible.
///
///     if (auto s = victim.steal()) run(s.item);
template <class T>
struct steal_result {
  steal_status status;
  union {
    T item;  ///< Only when `status` is `taken`.
  };

  /// Makes the result of a steal that took nothing; `why` is `empty` or `lost`.
  explicit steal_result(steal_status why) noexcept : status(why) {}
  /// Makes the result of a steal that took an item.
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
  /// If the move or copy of T throws, this holds no item.
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

  /// Returns true if an item was taken.
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

/// The result of a batch steal: `taken` with the number of items, else `empty` or `lost` with 0.
struct batch_result {
  steal_status status;
  std::size_t count;

  /// Returns true if at least one item was taken.
  explicit operator bool() const noexcept { return status == steal_status::taken; }
};

template <class T>
class stealer;

/// A deque with one owner and any number of thieves. The owner pushes and pops at the bottom, as on
/// a stack. Thieves take the oldest item from the top.
///
///           top                          bottom
///            | oldest . . . . . . newest |
///    steal <-+                           +<-> push, pop
///
/// How       A Chase-Lev deque (`detail::chase_lev` has the invariants and the edges). It doubles
///           when full and shrinks when nearly empty. A `T` that is trivially copyable and at most
///           8 bytes lives in the ring. Any other is boxed: one allocation per push.
/// Threads   push, pop and hand_over: the owner only. The batch steals: the owner of `mine` only.
///           The first thread to push or pop is the owner. Everything else: any thread. With
///           FILCH_CHECKS a call by a wrong thread aborts with a message that names both threads.
/// Memory    The thread that takes an item sees what the owner did before it pushed that item. Each
///           item is taken exactly once. No thread may use a deque that is being destroyed; the
///           items left in it are destroyed with it.
///           An old ring is freed by the last steal that could have seen it. A thief that stalls
///           delays the freeing of memory, never the owner. While no steal runs, there is no old
///           ring.
/// Cost      push and pop are wait-free, except for a resize; steal is lock-free. Boxed items, a
///           resize, and the steal that frees an old ring also call the allocator. Resizing is
///           amortised constant. bench/micro/deque measures it.
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

  /// Makes an empty deque with a capacity of `capacity` items, rounded up to a power of two (0
  /// counts as 1). It never shrinks below that.
  /// Throws `std::length_error`, naming the value, if `capacity` is out of reach; `std::bad_alloc`.
  explicit deque(std::size_t capacity = 256) : core_(capacity) {}

  /// For tests: sets where the indices start, so that a test can make them wrap around.
  deque(std::size_t capacity, detail::first_index first) : core_(capacity, first) {}

  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;

  /// Destroys the items that are left. Any thread may call it; no thread may use the deque
  /// meanwhile.
  ~deque() {
    if constexpr (!detail::fits_slot<T>) {
      word w;
      while (core_.pop(w)) slot::drop(w);
    }
  }

  /// Adds `item` at the bottom. Owner only.
  /// Throws  `std::bad_alloc` if there is no memory to grow or for a box; what the move of T
  ///         throws. Then the deque is unchanged, and `item` is destroyed.
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
  /// Throws  Only what the move of T throws; then that item is destroyed.
  std::optional<T> pop() noexcept(nothrow) {
    owner_.check("deque::pop()");
    word w;
    if (!core_.pop(w)) return std::nullopt;
    return slot::template take<std::optional<T>>(w);
  }

  /// Takes the oldest item. Any thread.
  /// Throws  Only what the move of T throws; then that item is destroyed.
  steal_result<T> steal() noexcept(nothrow) {
    word w;
    const steal_status status = core_.steal(w);
    if (status != steal_status::taken) return steal_result<T>(status);
    return slot::template take<steal_result<T>>(w);
  }

  /// Moves the oldest items into `mine`: half of them, rounded up, and at most `max`. Called by the
  /// owner of `mine`. mine.steal() hands the items out in the order in which this deque would have;
  /// mine.pop() gives the youngest of them first. The items are taken one at a time, so the owner
  /// and other thieves are not held up, and the call may end with fewer items. With a `max` of 0,
  /// or if `mine` is this deque, it takes nothing and returns `empty`. Items are handed on, not
  /// moved: the move of T is not called.
  /// Throws  `std::bad_alloc` if `mine` is full and cannot grow; then nothing was taken.
  batch_result steal_into(deque& mine, std::size_t max = SIZE_MAX) {
    mine.owner_.check("deque::steal_into() (the receiving deque)");
    const std::size_t goal = share(mine, max);
    mine.core_.reserve(goal);
    return move_to(mine, goal);
  }

  /// Steals like steal_into(), but returns the oldest item. The rest, at most `max` - 1, go into
  /// `mine`.
  /// Throws  As steal_into(); also what the move of T throws, which destroys that one item.
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

  /// Returns an estimate of the number of items. It may be out of date when it returns. Any thread.
  [[nodiscard]] std::size_t size_hint() const noexcept { return core_.size_hint(); }

  /// Returns true if there seem to be no items. Any thread.
  [[nodiscard]] bool empty_hint() const noexcept { return size_hint() == 0; }

  /// Returns a handle that can only steal. It must not outlive the deque. Any thread.
  [[nodiscard]] stealer<T> get_stealer() noexcept;

  /// Gives up ownership: the next thread to push or pop owns the deque. Owner only. The caller
  /// makes sure that the new owner starts after this call, for example by starting that thread or
  /// locking a mutex.
  void hand_over() noexcept { owner_.release("deque::hand_over()"); }

  /// Returns the number of items that fit before the deque grows. Owner only.
  [[nodiscard]] std::size_t capacity() const noexcept {
    return static_cast<std::size_t>(core_.capacity());
  }

 private:
  static constexpr bool nothrow = detail::fits_slot<T> || std::is_nothrow_move_constructible_v<T>;

  /// Returns how many items a batch should take: half of what seems to be there, rounded up.
  std::size_t share(const deque& mine, std::size_t max) const noexcept {
    if (&mine == this) return 0;
    const std::size_t size = size_hint();
    return std::min(max, size / 2 + size % 2);
  }

  /// Hands up to `goal` items to `mine`, which has the capacity for them.
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

/// A handle to a deque that can only steal: the owner gives it to thieves. A copy does the same as
/// the original. It must not outlive the deque. Any thread may call any function. Each does what
/// the function of the deque with that name does.
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
