// A participant's stack of branches, as thieves see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/pages.hpp"
#include "filch/detail/queue/split_stack_slow_path.hpp"
#include "filch/detail/sched/branches.hpp"

namespace filch::detail {

class registry;

/// Shows the stack of branches of the thread in a slot to thieves, for as long as that thread takes
/// part. The stack itself is thread-local (`my_branches`); its slots are here.
///
/// Edge
///   [visit]  visit() counts itself, then loads shown_ <-> close() clears shown_, then loads the
///            count   no visitor uses a stack that has been closed
class branch_share {
 public:
  /// The stack of a guest may go away at any time, so every visitor of it is counted. The stacks of
  /// the pool's own threads stay until no participant looks at them any more.
  explicit branch_share(bool of_guest);
  branch_share(const branch_share&) = delete;
  branch_share& operator=(const branch_share&) = delete;
  ~branch_share();

  /// Opens the calling thread's stack of branches. From now on thieves look at it. Owner only.
  void open() noexcept { open(false); }
  /// From now on no thief begins to look at it; thieves that look at it now may go on. Owner only.
  void hide() noexcept;
  /// The same, then waits for those thieves, and closes the stack, which is empty. Owner only.
  void close() noexcept;

  /// A guest begins one join: opens the stack, and keeps the pool `host` alive until end_one_join()
  /// gives it back. That join's own branch is never popped on the fast path, so that the slow path
  /// sees the end of the join. Owner only.
  void begin_one_join(std::shared_ptr<registry> host) noexcept;
  /// The guest runs that branch itself, or is about to leave: the branch's slot may be used again.
  void begin_last_branch() noexcept { in_last_branch_ = true; }
  std::shared_ptr<registry> end_one_join() noexcept;
  bool is_open_for_one_join() const noexcept { return host_ != nullptr && !in_last_branch_; }

  /// Calls `f` with the stack, if it is open. Any participant; a thread that takes no part in the
  /// pool passes true.
  template <class F>
  void visit(bool outsider, F f) const noexcept {
    if (shown_.load(std::memory_order_relaxed) == nullptr) return;  // orders nothing: a hint
    const bool counted = of_guest_ || outsider;
    if (counted) visitors_.fetch_add(1, std::memory_order_seq_cst);             // [visit]
    if (branch_stack* const b = shown_.load(std::memory_order_seq_cst)) f(*b);  // [visit]
    if (counted) visitors_.fetch_sub(1, std::memory_order_release);             // [visit]
  }

  /// Asks the owner for branches; S1. As visit().
  void ask(bool outsider = false) noexcept {
    visit(outsider, [](branch_stack& b) { b.ask(); });
  }
  /// Is a branch public? A hint that does not disturb the owner. Any participant.
  bool has_public() const noexcept {
    bool some = false;
    visit(false, [&](const branch_stack& b) { some = b.has_public(); });
    return some;
  }
  /// A guess at the number of branches. As visit().
  std::size_t size_hint(bool outsider) const noexcept {
    std::size_t size = 0;
    visit(outsider, [&](const branch_stack& b) { size = b.size_hint(); });
    return size;
  }

 private:
  void open(bool for_one_join) noexcept;

  const bool of_guest_;
  bool in_last_branch_ = false;
  std::shared_ptr<registry> host_;  // while this is a guest for one join
  pages memory_;
  branch_slot* ready_ = nullptr;          // the last slot there that is constructed
  atomic<branch_stack*> shown_{nullptr};  // in the thread-local memory of the thread in this slot
  mutable atomic<std::uint32_t> visitors_{0};
};

}  // namespace filch::detail
