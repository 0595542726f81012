// Closures that are counted: each runs at most once, and none stays behind.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <utility>

namespace filch::test {

/// How many tickets there were, and what became of them. Any thread.
struct ticket_book {
  std::atomic<std::uint64_t> issued = 0, used = 0, dropped = 0;

  /// Are all tickets gone? Only whoever has one, or has stopped by now, may issue more.
  bool all_gone() const {
    const std::uint64_t gone = used + dropped;  // first: tickets are issued before they go
    return gone == issued;
  }
};

/// What a closure holds to be counted. Move-only: it is one closure's wherever that is moved to.
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
