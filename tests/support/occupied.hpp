// A pool whose workers are all busy.
#pragma once

#include <atomic>
#include <cstddef>

#include "filch/pool.hpp"
#include "support/eventually.hpp"

namespace filch::test {

/// While it lives, every worker of `p`, or `count` of them, is inside a job and takes no other.
class occupied {
 public:
  explicit occupied(pool& p) : occupied(p, p.size()) {}
  occupied(pool& p, std::size_t count) : count_(count) {
    for (std::size_t i = 0; i < count; ++i)
      p.detach([this] {
        ++inside_;
        leave_.pass();
        --inside_;
      });
    until([this] { return inside_ == count_; });
  }
  occupied(const occupied&) = delete;
  occupied& operator=(const occupied&) = delete;
  ~occupied() {
    leave();
    until([this] { return inside_ == 0; });
  }

  /// Lets the workers go.
  void leave() { leave_.open(); }

 private:
  std::size_t count_;
  std::atomic<std::size_t> inside_ = 0;
  gate leave_;
};

}  // namespace filch::test
