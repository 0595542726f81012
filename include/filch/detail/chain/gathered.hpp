// Items that are gathered before their number is known, without their type. So this is compiled
// once, in the library, not for every type of items.
#pragma once

#include <mutex>
#include <new>

#include "filch/detail/base/plain_vector.hpp"
#include "filch/detail/base/public_types.hpp"
#include "filch/detail/chain/made.hpp"

namespace filch::detail {

/// Raw memory for the items of one chain, in blocks of growing size. A leaf borrows a block,
/// fills a part of it, and gives the rest back for the next leaf. So neighbouring items mostly
/// lie side by side, and short leaves waste nothing. The memory lives as long as this.
class piece_memory {
 public:
  /// The free part of a block: [next, end).
  struct storage {
    std::byte* next = nullptr;
    std::byte* end = nullptr;
  };

  explicit piece_memory(const item_kind& kind) noexcept : kind_(kind) {}
  piece_memory(const piece_memory&) = delete;
  piece_memory& operator=(const piece_memory&) = delete;
  ~piece_memory();

  const item_kind& kind() const noexcept { return kind_; }

  // ---- any thread -------------------------------------------------------------------------------

  /// Memory for at least one item. Throws `std::bad_alloc`.
  storage borrow();
  /// Takes back what a leaf has not used.
  void give_back(storage s) noexcept;

 private:
  struct block {
    void* start;
    std::align_val_t alignment;
  };
  static constexpr std::size_t smallest_block = 4096;

  storage fresh();

  const item_kind& kind_;
  std::mutex mutex_;  // guards everything below
  plain_vector<block> blocks_;
  plain_vector<storage> free_;
  std::size_t next_bytes_ = smallest_block;
};

/// Items in order, in parts of a piece_memory. They are destroyed with this.
class pieces {
 public:
  struct piece {
    std::byte* first;
    std::size_t count;
    piece* next = nullptr;
  };

  explicit pieces(const item_kind& kind) noexcept : kind_(&kind) {}
  pieces(pieces&& other) noexcept;
  pieces& operator=(pieces&&) = delete;
  ~pieces();

  /// Takes over the items [first, last), which come after all others. If it throws, it has not
  /// taken them over.
  void add(std::byte* first, std::byte* last);
  void append(pieces&& right) noexcept;
  std::size_t size() const noexcept { return size_; }
  const item_kind& kind() const noexcept { return *kind_; }
  /// The first piece, or null if there is none.
  const piece* front() const noexcept { return front_; }

 private:
  void drop_front() noexcept;
  std::byte* end_of(const piece& p) const noexcept { return p.first + p.count * kind_->size; }

  const item_kind* kind_;
  piece* front_ = nullptr;
  piece* back_ = nullptr;
  std::size_t size_ = 0;
};

/// The items that a leaf has gathered so far.
class open_pieces {
 public:
  explicit open_pieces(piece_memory& memory) noexcept : memory_(memory), done_(memory.kind()) {}
  /// Keeps the items up to `next`, and returns memory for more.
  piece_memory::storage go_on(std::byte* next);
  pieces finish(std::byte* next);
  /// Called at the end, with or without finish(): destroys the items that are not in a part, gives
  /// `left` back, and deletes `self`.
  static void leave(open_pieces* self, piece_memory::storage left) noexcept;

 private:
  void close(std::byte* next);

  piece_memory& memory_;
  std::byte* first_ = nullptr;  // items [first_, next) are not in done_ yet
  pieces done_;
};

/// Finds gathered items by their number. It does not own them.
class piece_index {
 public:
  explicit piece_index(const pieces& all);
  std::size_t size() const noexcept { return size_; }

  /// Calls f(first, count, number) for each piece of memory that has some of the items [first,
  /// last): its address, how many items it has, and the number of its first one.
  template <class F>
  void for_runs(std::size_t first, std::size_t last, const F& f) const {
    for (std::size_t k = piece_with(first); first != last; ++k) {
      const std::size_t skip = first - pieces_[k].number;
      const std::size_t count = std::min(pieces_[k].count - skip, last - first);
      f(pieces_[k].first + skip * item_size_, count, first);
      first += count;
    }
  }

 private:
  struct numbered_piece {
    std::byte* first;
    std::size_t count;
    std::size_t number;  // of its first item
  };
  std::size_t piece_with(std::size_t number) const noexcept;

  plain_vector<numbered_piece> pieces_;
  std::size_t item_size_;
  std::size_t size_;
};

/// Copies trivially copyable items to the contiguous memory at `to`, by all threads.
/// Options  grain.
void copy_pieces(const pieces& all, void* to, const options& o);

}  // namespace filch::detail
