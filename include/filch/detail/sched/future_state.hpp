// What a task and its future share.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/outcome.hpp"

namespace filch::detail {

/// The result of a task, and the latch that says it is there. Held by the task and by its future;
/// the last of the two to let go destroys it.
///
/// Edge
///   [let-go]  one holder lets go -> the other destroys   all uses happen before that
template <class T>
class future_state {
 public:
  future_state() = default;
  future_state(const future_state&) = delete;
  future_state& operator=(const future_state&) = delete;

  latch done;
  outcome<value_of<T>> result;

  /// Is it there, or can it still come? Not in a child of fork(): only the parent has the task.
  bool can_come() const noexcept { return born_.is_here() || done.probe(); }

  void let_go() noexcept {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;  // [let-go]
  }

 protected:
  virtual ~future_state() = default;

 private:
  birthplace born_;
  atomic<std::uint32_t> holders_{2};  // the task and the future; [let-go] orders their uses
};

}  // namespace filch::detail
