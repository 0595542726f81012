// What join does rarely: threads without a slot in a pool, thieves that ask, the end of the stack.
#include "filch/detail/sched/branches.hpp"

#include <memory>
#include <new>
#include <utility>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/pages.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/waiting.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

#if FILCH_SHARED_CODE
FILCH_ALSO_IN_PROGRAMS constinit thread_local branch_stack my_branches;
#endif

namespace {

/// Branch slots that only their thread uses: for joins deeper than the stack of branches, and for
/// joins of threads that cannot take part in a pool. Such branches are run by their own joins. The
/// object lies in the memory that it owns.
class alignas(branch_slot) private_slots {
 public:
  struct destroy {
    void operator()(private_slots* p) const noexcept {
      const pages memory = std::move(p->memory_);
      std::destroy_at(p);
    }
  };
  using owner = std::unique_ptr<private_slots, destroy>;

  /// Throws `std::bad_alloc`.
  static owner make() {
    pages memory(std::size_t{1} << 16);
    void* const start = memory.start();
    return owner(::new (start) private_slots(std::move(memory)));
  }

  branch_slot* first() noexcept { return reinterpret_cast<branch_slot*>(this + 1); }
  branch_slot* last() noexcept {
    return first() + (memory_.size() - sizeof(private_slots)) / sizeof(branch_slot) - 1;
  }
  bool has(const branch_slot* h) noexcept { return first() <= h && h <= last(); }

  owner next;

 private:
  explicit private_slots(pages&& memory) noexcept : memory_(std::move(memory)) {
    for (branch_slot* h = first(); h <= last(); ++h) std::construct_at(h);
  }

  pages memory_;
};

/// The calling thread's private slots, kept until it ends. The destructor of a thread_local object
/// may join after these are gone: the slots that it uses then are not given back.
constinit thread_local private_slots* first_private_slots = nullptr;

struct private_slots_of_thread {
  private_slots::owner all;
  private_slots_of_thread() = default;
  private_slots_of_thread(const private_slots_of_thread&) = delete;
  private_slots_of_thread& operator=(const private_slots_of_thread&) = delete;
  ~private_slots_of_thread() { first_private_slots = nullptr; }
};

private_slots& private_slots_of_this_thread() {
  thread_local private_slots_of_thread kept;
  if (first_private_slots == nullptr) {
    private_slots::owner made = private_slots::make();
    first_private_slots = made.get();
    if (kept.all == nullptr)
      kept.all = std::move(made);
    else
      (void)made.release();  // the thread is ending
  }
  return *first_private_slots;
}

/// The slot to use after `h`, which is the last slot of the stack or a private one.
branch_slot* private_slot_after(const branch_slot* h) {
  private_slots* piece = &private_slots_of_this_thread();
  if (my_branches.is_last(h))  // some may be in use, by joins from before the thread had a slot
    return my_branches.outer() != nullptr ? my_branches.outer() : piece->first();
  while (!piece->has(h)) piece = piece->next.get();
  if (h != piece->last()) return piece->first() + (h + 1 - piece->first());
  if (piece->next == nullptr) piece->next = private_slots::make();
  return piece->next->first();
}

/// Is `h` a private slot? It is not if it lies in a stack that the calling thread had before a
/// fork.
bool is_private(const branch_slot* h) noexcept {
  for (private_slots* piece = first_private_slots; piece != nullptr; piece = piece->next.get())
    if (piece->has(h)) return true;
  return false;
}

/// Is `h` the branch of the join that the calling thread became a guest for? It is not once the
/// thread runs that branch: then the slot is in use again.
bool is_last_branch(const branch_slot* h) noexcept {
  return my_branches.is_first(h) && worker::current()->branches.is_open_for_one_join();
}

/// A thief has asked for branches, or the stack goes on elsewhere. P1, P2 and a first P3 were
/// my_branches.push().
void expose_branches(worker& w, branch_slot* h) noexcept {
  const bool some = my_branches.answer(h);
  const region here = w.regions.current();
  w.regions.tag_next_branches();
  waker& wakes = w.home().wakes;
  if (!wakes.sleeping().any_to_notify(ends_before_guest_leaves(here))) return;  // P2, P3
  if (some) (void)wakes.wake_one_if_seat(&w, here);                             // P4
  if (wakes.sleeping().any()) my_branches.ask();  // for thieves that still sleep
}

/// A slot in which the calling thread takes part from now on. Null if the pool has stopped, or
/// there is no slot: then the thread joins without taking part.
worker* enter_as_guest(registry& home) noexcept {
  worker* slot = nullptr;
  try {
    slot = &home.participants.take_guest_slot(home);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  if (home.enter(*slot)) return slot;
  home.participants.return_guest_slot(*slot);
  return nullptr;
}

}  // namespace

branch_slot* enter_for_join() {
  std::shared_ptr<registry> home = current_registry();
  home->require_threads();
  worker* const slot = home->accepts.retired() ? nullptr : enter_as_guest(*home);
  if (slot == nullptr) return private_slots_of_this_thread().first();
  worker::set_current(slot);
  slot->branches.begin_one_join(std::move(home));
  (void)slot->regions.enter(region_of_call());
  return my_branches.next();
}

void answer_thieves(branch_slot* h) noexcept {
  if (worker* const w = worker::current()) expose_branches(*w, h);
  if (my_branches.shares(h)) return;
  try {
    my_branches.go_on_at(private_slot_after(h));
  } catch (const std::bad_alloc&) {
    fail("there is no memory for the branches of joins nested this deeply");
  }
}

bool take_branch_back(branch_slot* h) noexcept {
  if (my_branches.shares(h)) return !is_last_branch(h) && my_branches.take_back(h);
  if (!my_branches.is_open()) {
    if (!is_private(h)) went_on_after_fork();
    if (h == first_private_slots->first()) my_branches.go_nowhere();
  }
  return true;
}

branch_fate fate_of_branch(branch_slot* h) noexcept {
  worker& w = *worker::current();
  if (is_last_branch(h) && my_branches.take_back(h)) {
    w.branches.begin_last_branch();
    return branch_fate::last;
  }
  // Thieves take the oldest branch first, so this thread has no other branch. If it has no job,
  // either, it looks for the end of a short branch before it searches: a search takes longer.
  constexpr int looks = 32;
  if (w.deque.size_hint() != 0 || !is_set_within(looks, h->done)) wait_for(h->done);
  return branch_fate::taken;
}

branch_fate reclaim_branch(branch_slot* h) noexcept {
  if (my_branches.pop(h) || take_branch_back(h)) return branch_fate::mine;
  return fate_of_branch(h);
}

void branch_is_over(branch_slot* h) noexcept {
  h->done.reset();
  my_branches.release(h);
  if (is_last_branch(h)) leave_after_join();
}

void leave_after_join() noexcept {
  worker& slot = *worker::current();
  slot.branches.begin_last_branch();
  slot.clear_before_leaving();
  (void)slot.regions.enter(no_region);
  const std::shared_ptr<registry> home = slot.branches.end_one_join();
  worker::set_current(nullptr);
  home->leave(slot);
  home->participants.return_guest_slot(slot);
}

}  // namespace filch::detail
