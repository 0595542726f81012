// How a thread enters and leaves regions. isolation.md says why.
#include "filch/detail/sched/region_stack.hpp"

#include <algorithm>

namespace filch::detail {

namespace {

// So many slots get their region as a thread enters it. Deeper joins ask for more, by a push that
// is heard. A slot is a cache line, and the calls of most guests use few.
constexpr std::ptrdiff_t first_slots = 2;
constexpr std::ptrdiff_t next_slots = 16;

void set_region(branch_slot& slot, region r) noexcept {
  if (slot.where() != r) slot.set_region(r);  // a store would take the cache line from a thief
}

}  // namespace

region region_stack::enter(region r) noexcept {
  const region outer = current();
  if (outer == r) return r;
  current_.store(r, std::memory_order_release);  // [region]
  tag_branches(first_slots);
  return outer;
}

void region_stack::end(region outer) noexcept {
  deque_.change_newest([&](queued& q) {
    const region its = region_of(q.tag);
    if (!admits(current(), its)) return false;
    q.tag = (its == current() ? outer : region_of_submitted(outer)) | (q.tag & from_outside);
    return true;
  });
  leave(outer);
}

void region_stack::leave(region outer) noexcept { (void)enter(outer); }

void region_stack::tag_next_branches() noexcept {
  if (current() != no_region && my_branches.next() >= tagged_end_) tag_branches(next_slots);
}

/// Free slots only: those in use keep the region of their branches.
void region_stack::tag_branches(std::ptrdiff_t count) noexcept {
  const region here = current();
  branch_slot* h = my_branches.next();
  if (!my_branches.shares(h)) return;
  branch_slot* const end = here == no_region ? h : std::min(h + count, my_branches.ready() + 1);
  for (; h < end; ++h) set_region(*h, here);
  for (; h < tagged_end_; ++h) set_region(*h, no_region);
  tagged_end_ = here == no_region ? nullptr : end;
  my_branches.hear_from(here == no_region ? nullptr : end - 1);
}

}  // namespace filch::detail
