// What fork() leaves in the child, and what the child does with it. fork.md has the rules.
#include "filch/detail/sched/atfork.hpp"

#include <new>

#include "filch/detail/base/check.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/guest_stay.hpp"
#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

void went_on_after_fork() noexcept {
  fail(
      "a task or join that called fork() went on in the child process, where the threads of its "
      "pool do not exist. End the child with _exit(), or replace it with exec, before the task or "
      "join returns.");
}

namespace {

/// The first job that a worker finds when its task has returned in the child: it must not run what
/// its pool runs in the parent.
class no_way_back final : public listed_job {
 public:
  constexpr no_way_back() noexcept : listed_job([](job&) noexcept { went_on_after_fork(); }) {}
};

constinit no_way_back in_the_way;

/// Called in the child, on its only thread. It gives up locks and unfinished work of other threads.
void forget_parent() noexcept {
  worker::leave_by_fork(in_the_way);
  if (my_branches.is_open()) my_branches.close();
  forget_parkers();
  forget_default_pool();
  forget_pools();
  forget_timers();
  forget_call_limits();
  leave_region_by_fork();
  leave_lone_pool_by_fork();
  forget_observers();
}

// Registered as the program is loaded. So no fork can come too early, and no handler of another
// library comes before this one and finds a worker in the child.
[[maybe_unused]] const bool registered_from_the_start = observe_forks(&forget_parent);

}  // namespace

void register_atfork() {
  if (!observe_forks(&forget_parent)) throw std::bad_alloc();
}

}  // namespace filch::detail
