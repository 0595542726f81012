#include "filch/detail/chain/gathered.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "filch/detail/base/vector_storage.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/range.hpp"
#include "filch/detail/loop/splitter.hpp"

namespace filch::detail {

// ---- piece_memory ------------------------------------------------------------------------------

piece_memory::~piece_memory() {
  for (const block& b : blocks_) ::operator delete(b.start, b.alignment);
}

piece_memory::storage piece_memory::borrow() {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) return fresh();
  const storage s = free_.back();
  free_.pop_back();
  return s;
}

void piece_memory::give_back(storage s) noexcept {
  if (s.next == s.end) return;
  const std::scoped_lock lock(mutex_);
  free_.push_back(s);
}

piece_memory::storage piece_memory::fresh() {
  constexpr std::size_t largest_block = 2 * huge_page;
  const std::size_t bytes = std::max<std::size_t>(next_bytes_ / kind_.size, 8) * kind_.size;
  const std::size_t alignment = std::max(bytes, next_bytes_) >= largest_block
                                    ? huge_page
                                    : std::max<std::size_t>(64, kind_.alignment);
  blocks_.reserve(blocks_.size() + 1);
  free_.reserve(blocks_.size() + 1);  // so that giving back cannot fail
  const block b{::operator new (bytes, std::align_val_t{alignment}), std::align_val_t{alignment}};
  blocks_.push_back(b);
  detail::expect_filling(b.start, bytes);
  next_bytes_ = std::min(2 * next_bytes_, largest_block);
  std::byte* const start = static_cast<std::byte*>(b.start);
  return {start, start + bytes};
}

// ---- pieces ------------------------------------------------------------------------------------

pieces::pieces(pieces&& other) noexcept
    : kind_(other.kind_),
      front_(std::exchange(other.front_, nullptr)),
      back_(std::exchange(other.back_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

pieces::~pieces() {
  while (front_ != nullptr) {
    if (kind_->destroy != nullptr) kind_->destroy(front_->first, front_->count);
    drop_front();
  }
}

void pieces::drop_front() noexcept {
  const std::unique_ptr<piece> gone(front_);
  front_ = gone->next;
  if (front_ == nullptr) back_ = nullptr;
}

void pieces::add(std::byte* first, std::byte* last) {
  if (first == last) return;
  const std::size_t count = static_cast<std::size_t>(last - first) / kind_->size;
  if (back_ != nullptr && end_of(*back_) == first) {
    back_->count += count;
  } else {
    piece* const added = new piece{first, count};
    (back_ == nullptr ? front_ : back_->next) = added;
    back_ = added;
  }
  size_ += count;
}

void pieces::append(pieces&& right) noexcept {
  if (back_ != nullptr && right.front_ != nullptr && end_of(*back_) == right.front_->first) {
    back_->count += right.front_->count;
    right.drop_front();
  }
  if (right.front_ != nullptr) {
    (back_ == nullptr ? front_ : back_->next) = std::exchange(right.front_, nullptr);
    back_ = std::exchange(right.back_, nullptr);
  }
  size_ += std::exchange(right.size_, 0);
}

// ---- open_pieces -------------------------------------------------------------------------------

piece_memory::storage open_pieces::go_on(std::byte* next) {
  close(next);
  const auto fresh = memory_.borrow();
  first_ = fresh.next;
  return fresh;
}

pieces open_pieces::finish(std::byte* next) {
  close(next);
  return std::move(done_);
}

void open_pieces::leave(open_pieces* self, piece_memory::storage left) noexcept {
  const std::unique_ptr<open_pieces> mine(self);
  const item_kind& kind = mine->memory_.kind();
  if (kind.destroy != nullptr)
    kind.destroy(mine->first_, static_cast<std::size_t>(left.next - mine->first_) / kind.size);
  mine->memory_.give_back(left);
}

void open_pieces::close(std::byte* next) {
  done_.add(first_, next);
  first_ = next;
}

// ---- piece_index -------------------------------------------------------------------------------

piece_index::piece_index(const pieces& all) : item_size_(all.kind().size), size_(all.size()) {
  std::size_t number = 0;
  for (const pieces::piece* p = all.front(); p != nullptr; p = p->next)
    pieces_.push_back({p->first, p->count, std::exchange(number, number + p->count)});
}

std::size_t piece_index::piece_with(std::size_t number) const noexcept {
  const auto behind = std::upper_bound(
      pieces_.begin(), pieces_.end(), number,
      [](std::size_t wanted, const numbered_piece& p) { return wanted < p.number; });
  return static_cast<std::size_t>(behind - pieces_.begin()) - 1;
}

// ---- loops -------------------------------------------------------------------------------------

void copy_pieces(const pieces& all, void* to, const options& o) {
  const piece_index from(all);
  const std::size_t size = all.kind().size;
  const auto copy = [&](std::size_t first, std::size_t last) {
    from.for_runs(first, last, [&](const std::byte* item, std::size_t count, std::size_t i) {
      std::memcpy(static_cast<std::byte*>(to) + i * size, item, count * size);
    });
  };
  detail::for_blocks(parallel_fork{}, from.size(), o, copy, cheap_items);
}

}  // namespace filch::detail
