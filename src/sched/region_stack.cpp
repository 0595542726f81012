// How a thread enters and leaves isolation regions. isolation.md says why.
#include "filch/detail/sched/region_stack.hpp"

#include <utility>

#include "filch/detail/sched/outside_turns.hpp"

namespace filch::detail {

region region_stack::enter(region r) noexcept {
  const region outer = std::exchange(current_, r);
  turns_.always();
  my_branches.hear_all(true);
  tag_next_branch();
  return outer;
}

void region_stack::end(region outer) noexcept {
  deque_.change_newest([&](queued& q) {
    if (region_of(q.tag) != current_) return false;
    q.tag = outer | (q.tag & from_outside);
    return true;
  });
  leave(outer);
}

void region_stack::leave(region outer) noexcept {
  current_ = outer;
  if (branch_slot* h = my_branches.next(); my_branches.shares(h))
    for (; h < tagged_end_; ++h) h->set_region(outer);
  if (outer != no_region) return;
  tagged_end_ = nullptr;
  my_branches.hear_all(false);
}

void region_stack::tag_next_branch() noexcept {
  branch_slot* const next = my_branches.next();
  if (!my_branches.shares(next)) return;
  next->set_region(current_);
  if (tagged_end_ == nullptr || tagged_end_ <= next) tagged_end_ = next + 1;
}

}  // namespace filch::detail
