// The steps of a split_stack that are no fast path of its owner: a program that only forks does not
// compile them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "filch/detail/base/fence.hpp"
#include "filch/detail/queue/split_stack.hpp"
#include "filch/detail/queue/steal_status.hpp"

namespace filch::detail {

template <class Slot>
void split_stack<Slot>::open(Slot* base, Slot* end, bool all_public, bool first_is_public,
                             Slot* ready) noexcept {
  outer_ = next();
  base_ = base;
  end_ = end;
  all_public_ = all_public;
  heard_from_ = nullptr;
  floor_ = at(first_is_public ? base + 1 : base);
  ready_ = ready != nullptr ? ready : std::construct_at(base);
  word_.store(packed(at(base), at(base)), std::memory_order_relaxed);  // no other thread yet
  limit_.store(base, std::memory_order_relaxed);  // no other thread yet; the first push is heard
  head_.store(base, std::memory_order_relaxed);   // no other thread yet
}

template <class Slot>
void split_stack<Slot>::close() noexcept {
  head_.store(outer_, std::memory_order_relaxed);               // no other thread
  word_.store(packed(0, exposing), std::memory_order_relaxed);  // no other thread
  limit_.store(nullptr, std::memory_order_relaxed);             // no other thread
  base_ = end_ = ready_ = nullptr;
}

template <class Slot>
bool split_stack<Slot>::answer(Slot* h) noexcept {
  if (h == ready_) make_ready(std::min<std::ptrdiff_t>(end_ - h, slots_at_once));
  Slot* const heard = heard_from_ == nullptr ? ready_ : std::min(heard_from_, ready_);
  limit_.store(all_public_ || !shares(h) ? nullptr : heard,
               std::memory_order_relaxed);  // [dekker] [ask] ordered by the fences
  if (!all_public_) full_fence();           // [ask]
  return expose(all_public_);
}

template <class Slot>
void split_stack<Slot>::go_on_at(Slot* elsewhere) noexcept {
  // The slots that the head leaves were pushed before, and answer() has ended every exposure that
  // could have missed one of them.
  head_.store(elsewhere, std::memory_order_release);  // [publish]
  limit_.store(nullptr, std::memory_order_relaxed);   // own value: the next push is heard
}

template <class Slot>
bool split_stack<Slot>::take_back(Slot* h) noexcept {
  std::uint64_t x = word_.load(std::memory_order_relaxed);  // orders nothing: retried below
  for (;;) {
    const position t = top_of(x);
    if (split_of(x) <= at(h)) return true;  // not public after all
    if (t > at(h)) {
      head_.store(h + 1, std::memory_order_release);  // [publish] all below is taken
      return false;
    }
    // It is public and not taken, or is being exposed: the thread that changes the word first has
    // it. A part of the slots below stays public.
    const position below = at(h) - t;
    const position kept =
        std::max(t + (all_public_ ? below : half(below)), std::min(floor_, at(h)));
    if (word_.compare_exchange_weak(x, packed(t, kept), std::memory_order_release,  // [publish]
                                    std::memory_order_relaxed))  // orders nothing: retried
      return true;
  }
}

template <class Slot>
steal_status split_stack<Slot>::steal(Slot*& taken) noexcept {
  std::uint64_t x = word_.load(std::memory_order_relaxed);  // orders nothing: checked below
  if (!has_public(x)) return steal_status::empty;
  if (!word_.compare_exchange_strong(x, x + (std::uint64_t{slot_size} << 32),
                                     std::memory_order_acquire,   // [publish]
                                     std::memory_order_relaxed))  // value unused
    return steal_status::lost;
  taken = base_ + (top_of(x) - at(base_)) / slot_size;
  return steal_status::taken;
}

template <class Slot>
template <class Accept>
steal_status split_stack<Slot>::steal_if(Slot*& taken, Accept accept) noexcept {
  if (!enter_as_exposer()) return steal_status::lost;
  const steal_status status = choose(taken, accept);
  leave_as_exposer();
  return status;
}

template <class Slot>
bool split_stack<Slot>::expose_for_owner() noexcept {
  if (all_public_ || !enter_as_exposer()) return false;
  const bool exposed = move_split();
  leave_as_exposer();
  return exposed;
}

template <class Slot>
const Slot* split_stack<Slot>::oldest_hint() const noexcept {
  const std::uint64_t x = word_.load(std::memory_order_acquire);  // [publish]
  if (!has_public(x)) {
    const position h = shared(head_.load(std::memory_order_acquire));  // [publish]
    if (h <= private_from(x)) return nullptr;
  }
  return base_ + (top_of(x) - at(base_)) / slot_size;
}

template <class Slot>
std::size_t split_stack<Slot>::size_hint() const noexcept {
  const std::uint64_t x = word_.load(std::memory_order_relaxed);     // orders nothing: a hint
  const position h = shared(head_.load(std::memory_order_relaxed));  // orders nothing: a hint
  return h > top_of(x) ? (h - top_of(x)) / slot_size : 0;
}

template <class Slot>
bool split_stack<Slot>::expose(bool all) noexcept {
  std::uint64_t x = word_.load(std::memory_order_relaxed);  // orders nothing: retried below
  const position h = shared(head_.load(std::memory_order_relaxed));  // own value
  for (;;) {
    const position t = top_of(x);
    if (has_public(x) && !all) return true;
    const position s = split_of(x) == exposing ? t : split_of(x);
    const position more = h > s ? h - s : 0;
    if (more == 0) return has_public(x);
    const position to = s + (all ? more : more - half(more));
    if (word_.compare_exchange_weak(x, packed(t, to), std::memory_order_release,  // [publish]
                                    std::memory_order_relaxed))  // orders nothing: retried
      return true;
  }
}

template <class Slot>
template <class Accept>
steal_status split_stack<Slot>::choose(Slot*& taken, Accept& accept) noexcept {
  std::uint64_t x = word_.load(std::memory_order_relaxed);  // orders nothing: checked below
  const position t = top_of(x);
  position s = split_of(x);
  if (s == t && (all_public_ || !has_private(x))) return steal_status::empty;
  const std::uint64_t choosing = packed(t, exposing);
  if (!word_.compare_exchange_strong(x, choosing,
                                     std::memory_order_acquire,   // [publish] [dekker]
                                     std::memory_order_relaxed))  // value unused
    return steal_status::lost;
  if (s == t) {
    heavy_fence();
    s = std::max(shared(head_.load(std::memory_order_acquire)), t);  // [publish]
  }
  Slot* const oldest = base_ + (t - at(base_)) / slot_size;
  const bool wanted = s != t && accept(*oldest);
  x = choosing;
  if (!word_.compare_exchange_strong(x, packed(wanted ? t + slot_size : t, s),
                                     std::memory_order_release,   // [publish]
                                     std::memory_order_relaxed))  // value unused
    return steal_status::lost;
  if (!wanted) return steal_status::empty;
  taken = oldest;
  return steal_status::taken;
}

template <class Slot>
bool split_stack<Slot>::move_split() noexcept {
  std::uint64_t x = word_.load(std::memory_order_relaxed);  // orders nothing: checked below
  const position t = top_of(x);
  if (split_of(x) != t || !has_private(x)) return false;
  if (!word_.compare_exchange_strong(x, packed(t, exposing),
                                     std::memory_order_relaxed,   // [dekker]
                                     std::memory_order_relaxed))  // ordered by the fences
    return false;
  heavy_fence();
  const position h = std::max(shared(head_.load(std::memory_order_acquire)), t);  // [publish]
  x = packed(t, exposing);
  return word_.compare_exchange_strong(x, packed(t, h), std::memory_order_release,  // [publish]
                                       std::memory_order_relaxed) &&                // value unused
         h > t;
}

}  // namespace filch::detail
