// An item that counts its instances and moves, and whose move can be made to throw.
#pragma once

#include <atomic>
#include <stdexcept>
#include <utility>

namespace filch::test {

/// Movable, not copyable, so the deque boxes it. It counts for all threads together.
class tracked {
 public:
  struct move_failed : std::runtime_error {
    move_failed() : std::runtime_error("this move was made to fail") {}
  };

  explicit tracked(int number) : number_(number) { ++live_; }
  tracked(tracked&& other) : number_(other.number_) {
    if (moves_until_throw_ > 0 && --moves_until_throw_ == 0) throw move_failed();
    ++moves_;
    ++live_;
    other.number_ = -1;
  }
  tracked& operator=(tracked&& other) {
    number_ = std::exchange(other.number_, -1);
    ++moves_;
    return *this;
  }
  ~tracked() {
    if (self_ != this) ++wrong_;
    self_ = nullptr;
    --live_;
  }

  int number() const { return number_; }

  /// Instances alive now.
  static int live() { return live_; }
  /// Moves so far.
  static int moves() { return moves_; }
  /// Destructions of objects that were not alive.
  static int wrong_destructions() { return wrong_; }
  /// Makes the `n`-th move from now throw; 0 for none.
  static void throw_at_move(int n) { moves_until_throw_ = n; }
  static void reset_counts() { moves_ = wrong_ = moves_until_throw_ = 0; }

 private:
  static inline std::atomic<int> live_ = 0, moves_ = 0, wrong_ = 0, moves_until_throw_ = 0;

  int number_;
  const tracked* volatile self_ = this;  // volatile: the write in the destructor must stay
};

}  // namespace filch::test
