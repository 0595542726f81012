// Times in order: the earliest first.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "filch/detail/sched/timer.hpp"

namespace filch::detail {

/// A binary heap of entries that know their indices, so that any of them can be removed. One thread
/// at a time.
class timer_heap {
 public:
  bool empty() const noexcept { return items_.empty(); }
  timer_entry& first() const noexcept { return *items_.front(); }

  /// From now on there is memory for `count` entries. Throws `std::bad_alloc`.
  void make_room(std::size_t count) {
    if (count > items_.capacity()) items_.reserve(std::max(count, 2 * items_.capacity()));
  }
  /// There must be memory for it.
  void add(timer_entry& t) noexcept {
    items_.push_back(&t);
    t.heap_index = items_.size() - 1;
    rise(t.heap_index);
  }
  void remove(timer_entry& t) noexcept {
    const std::size_t index = std::exchange(t.heap_index, timer_entry::nowhere);
    timer_entry* const last = items_.back();
    items_.pop_back();
    if (last == &t) return;
    put(index, last);
    rise(index);
    sink(last->heap_index);
  }
  /// Removes all entries for which `is` holds, and gives each of them to `use`.
  template <class Is, class Use>
  void remove_if(Is is, Use use) noexcept {
    std::size_t kept = 0;
    for (timer_entry* const t : items_) {
      if (is(*t)) {
        t->heap_index = timer_entry::nowhere;
        use(*t);
      } else {
        put(kept++, t);
      }
    }
    items_.resize(kept);
    for (std::size_t i = kept / 2; i-- > 0;) sink(i);
  }

 private:
  bool earlier(std::size_t a, std::size_t b) const noexcept {
    return items_[a]->due < items_[b]->due;
  }
  void put(std::size_t index, timer_entry* t) noexcept {
    items_[index] = t;
    t->heap_index = index;
  }
  void swap(std::size_t a, std::size_t b) noexcept {
    timer_entry* const was_a = items_[a];
    put(a, items_[b]);
    put(b, was_a);
  }
  void rise(std::size_t i) noexcept {
    for (; i > 0 && earlier(i, (i - 1) / 2); i = (i - 1) / 2) swap(i, (i - 1) / 2);
  }
  void sink(std::size_t i) noexcept {
    for (;;) {
      std::size_t least = i;
      for (const std::size_t below : {2 * i + 1, 2 * i + 2})
        if (below < items_.size() && earlier(below, least)) least = below;
      if (least == i) return;
      swap(i, least);
      i = least;
    }
  }

  std::vector<timer_entry*> items_;
};

}  // namespace filch::detail
