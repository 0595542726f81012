// Counted closures: each runs at most once, and none is left over.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <utility>

namespace filch::test {

/// How many tickets there were, and how they ended. Any thread.
struct ticket_book {
  std::atomic<std::uint64_t> issued = 0, used = 0, dropped = 0;

  /// Are all tickets gone? Threads that issue more must hold a ticket, or have stopped by now.
  bool all_gone() const {
    const std::uint64_t gone = used + dropped;  // read first: tickets are issued before they go
    return gone == issued;
  }
};

/// A closure holds a ticket to be counted. It is move-only: it stays with its closure when that is
/// moved.
class ticket {
 public:
  explicit ticket(ticket_book& book) : book_(&book) { ++book.issued; }
  ticket(ticket&& other) noexcept
      : book_(std::exchange(other.book_, nullptr)), used_(other.used_) {}
  ticket& operator=(ticket&&) = delete;
  ~ticket() {
    if (book_ != nullptr) ++(used_ ? book_->used : book_->dropped);
  }

  /// The closure runs.
  void use() {
    if (book_ == nullptr || std::exchange(used_, true))
      ADD_FAILURE() << "a closure ran that had run before, or had been moved away";
  }

 private:
  ticket_book* book_;
  bool used_ = false;
};

}  // namespace filch::test
