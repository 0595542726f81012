// A consumer that collects items whose number is not known before they have all come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/vector_room.hpp"
#include "filch/detail/chain/drive.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Raw memory for the items of one chain, in blocks that get larger. A stretch borrows one, fills
/// some of it, and gives the rest back for the next: so neighbours mostly lie side by side, and
/// short stretches waste nothing. The memory lives as long as this.
template <class T>
class piece_memory {
 public:
  /// What is free of a block: [next, end).
  struct room {
    T* next = nullptr;
    T* end = nullptr;
  };

  piece_memory() = default;
  piece_memory(const piece_memory&) = delete;
  piece_memory& operator=(const piece_memory&) = delete;
  ~piece_memory() {
    for (const block& b : blocks_) ::operator delete(b.start, b.alignment);
  }

  // ---- any thread -------------------------------------------------------------------------------

  /// Some room, at least for one item. Throws `std::bad_alloc`.
  room borrow() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return fresh();
    const room r = free_.back();
    free_.pop_back();
    return r;
  }
  /// What a stretch has left of it.
  void give_back(room r) noexcept {
    if (r.next == r.end) return;
    const std::scoped_lock lock(mutex_);
    free_.push_back(r);
  }

 private:
  struct block {
    void* start;
    std::align_val_t alignment;
  };
  static constexpr std::size_t smallest_block = 4096;
  static constexpr std::size_t largest_block = 2 * huge_page;

  room fresh() {
    const std::size_t items = std::max<std::size_t>(next_bytes_ / sizeof(T), 8);
    const std::size_t bytes = items * sizeof(T);
    const std::size_t alignment =
        bytes >= largest_block ? huge_page : std::max<std::size_t>(64, alignof(T));
    blocks_.reserve(blocks_.size() + 1);
    free_.reserve(blocks_.size() + 1);  // so that giving back cannot fail
    const block b{::operator new (bytes, std::align_val_t{alignment}), std::align_val_t{alignment}};
    blocks_.push_back(b);
    detail::expect_filling(b.start, bytes);
    next_bytes_ = std::min(2 * next_bytes_, largest_block);
    T* const start = static_cast<T*>(b.start);
    return {start, start + items};
  }

  std::mutex mutex_;  // everything
  std::vector<block> blocks_;
  std::vector<room> free_;
  std::size_t next_bytes_ = smallest_block;
};

/// Items in order, in stretches of a piece_memory. They are destroyed with this.
template <class T>
class pieces {
 public:
  struct piece {
    T* first;
    std::size_t count;
  };

  pieces() = default;
  pieces(pieces&& other) noexcept
      : list_(std::move(other.list_)), size_(std::exchange(other.size_, 0)) {
    other.list_.clear();
  }
  pieces& operator=(pieces&&) = delete;
  ~pieces() {
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (const piece& p : list_) std::destroy_n(p.first, p.count);
  }

  /// Takes over [first, first + count), to stand behind all others. If it throws, it has not.
  void add(T* first, std::size_t count) {
    if (count == 0) return;
    if (!list_.empty() && list_.back().first + list_.back().count == first)
      list_.back().count += count;
    else
      list_.push_back({first, count});
    size_ += count;
  }
  void append(pieces&& right) noexcept {
    if (!list_.empty() && !right.list_.empty() &&
        list_.back().first + list_.back().count == right.list_.front().first) {
      list_.back().count += right.list_.front().count;
      right.list_.pop_front();
    }
    list_.splice(list_.end(), right.list_);
    size_ += std::exchange(right.size_, 0);
  }
  std::size_t size() const noexcept { return size_; }
  const std::list<piece>& list() const noexcept { return list_; }

 private:
  std::list<piece> list_;
  std::size_t size_ = 0;
};

/// Collects items as objects of type T.
template <class T>
class pieces_consumer {
 public:
  using part = pieces<T>;
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = true;

  /// The memory outlives all parts.
  explicit pieces_consumer(piece_memory<T>& memory) noexcept : memory_(memory) {}

  /// What a folder does not need for every item. Apart from it, so that the compiler sees that
  /// nobody else knows where the next item goes: that is in a register.
  class opened {
   public:
    explicit opened(piece_memory<T>& memory) noexcept : memory_(memory) {}
    /// The items up to `next` are here to stay, and more is wanted.
    [[gnu::noinline]] typename piece_memory<T>::room go_on(T* next) {
      close(next);
      const auto fresh = memory_.borrow();
      first_ = fresh.next;
      return fresh;
    }
    part finish(T* next) {
      close(next);
      return std::move(done_);
    }
    /// No more come, and those that are not in a part go.
    [[gnu::noinline]] static void leave(opened* self,
                                        typename piece_memory<T>::room left) noexcept {
      std::destroy(self->first_, left.next);
      self->memory_.give_back(left);
      delete self;
    }

   private:
    void close(T* next) {
      done_.add(first_, static_cast<std::size_t>(next - first_));
      first_ = next;
    }

    piece_memory<T>& memory_;
    T* first_ = nullptr;  // items [first_, next) are not in done_ yet
    part done_;
  };

  class folder {
   public:
    using value = T;
    /// Are items small, and no more than their bytes, so that one may be where it is not wanted?
    template <class Item>
    static constexpr bool writes_twice =
        std::is_trivially_copyable_v<T>&& std::is_trivially_constructible_v<T, Item> &&
        sizeof(T) <= 32;

    explicit folder(piece_memory<T>& memory) noexcept : memory_(&memory) {}
    folder(folder&& other) noexcept
        : memory_(other.memory_),
          room_(other.room_),
          opened_(std::exchange(other.opened_, nullptr)) {}
    folder& operator=(folder&&) = delete;
    [[gnu::always_inline]] ~folder() {
      if (opened_ != nullptr) opened::leave(opened_, room_);
    }

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      (void)find_room();
      std::construct_at(room_.next, static_cast<Item&&>(item));
      ++room_.next;
    }
    template <class Item>
    requires(writes_twice<Item>) [[gnu::always_inline]] void take_if(bool wanted, Item&& item) {
      (void)find_room();
      put_if(wanted, T(static_cast<Item&&>(item)));
    }

    /// For how many items there is room, at least for one.
    [[gnu::always_inline]] std::size_t find_room() {
      if (room_.next == room_.end) [[unlikely]] {
        if (opened_ == nullptr) opened_ = new opened(*memory_);
        room_ = opened_->go_on(room_.next);
      }
      return static_cast<std::size_t>(room_.end - room_.next);
    }
    /// Where there is room. Without a jump that depends on the item: what is not wanted is written
    /// over by the next one.
    [[gnu::always_inline]] void put_if(bool wanted, T item) noexcept {
      std::construct_at(room_.next, item);
      room_.next += static_cast<std::ptrdiff_t>(wanted);
    }
    [[gnu::always_inline]] part finish() && {
      return opened_ != nullptr ? opened_->finish(room_.next) : part();
    }

   private:
    piece_memory<T>* memory_;
    typename piece_memory<T>::room room_;
    opened* opened_ = nullptr;  // owned; there with the first item
  };
  folder begin(std::size_t) const { return folder(memory_); }
  part merge(part&& left, part&& right) const noexcept {
    left.append(std::move(right));
    return std::move(left);
  }

 private:
  piece_memory<T>& memory_;
};

/// What has been collected, to be moved on: position `i` is item number `i`.
template <class T>
class pieces_source {
  using piece = typename pieces<T>::piece;

 public:
  using item = T&&;
  static constexpr bool exact = true;

  /// Of items that others keep, and destroy.
  explicit pieces_source(const pieces<T>& all)
      : pieces_(all.list().begin(), all.list().end()), size_(all.size()) {
    begins_.reserve(pieces_.size());
    std::size_t begin = 0;
    for (const piece& p : pieces_) begins_.push_back(std::exchange(begin, begin + p.count));
  }
  std::size_t size() const noexcept { return size_; }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    if (first == last) return;
    auto k = static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), first) -
                                      begins_.begin()) -
             1;
    for (; first != last; ++k) {
      const std::size_t skip = first - begins_[k];
      const std::size_t count = std::min(pieces_[k].count - skip, last - first);
      T* from = pieces_[k].first + skip;
      for (T* const end = from + count; from != end; ++from) folder.take(std::move(*from));
      first += count;
    }
  }

 private:
  std::vector<piece> pieces_;
  std::vector<std::size_t> begins_;
  std::size_t size_;
};

}  // namespace filch::detail
