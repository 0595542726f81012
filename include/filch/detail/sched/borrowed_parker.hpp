// A parker that a participant borrows.
#pragma once

#include "filch/detail/sched/parker.hpp"

namespace filch::detail {

/// A parker that is borrowed for as long as this lives.
class borrowed_parker {
 public:
  /// Throws `std::bad_alloc`.
  borrowed_parker() : parker_(borrow_parker()) {}
  borrowed_parker(const borrowed_parker&) = delete;
  borrowed_parker& operator=(const borrowed_parker&) = delete;
  ~borrowed_parker() { return_parker(parker_); }
  parker& operator*() const noexcept { return parker_; }
  parker* operator->() const noexcept { return &parker_; }

 private:
  parker& parker_;
};

}  // namespace filch::detail
