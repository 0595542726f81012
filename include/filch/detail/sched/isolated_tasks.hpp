// The tasks of a scope whose wait runs nothing else.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/region.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class registry;

/// What an isolated scope has spawned. Each task runs in the region of the scope; whoever waits for
/// them is in that region too.
///
/// Such a waiter cannot rely on the deques. It may look only at the newest job of its own and at
/// the oldest of others', and there something else may lie, which it must not run: a task that was
/// submitted after its own, or one that a thief took along. So a task waits in two places: in a
/// list of the scope, where the waiter finds it, and as a ticket in a deque or an injector, which
/// brings others to the list. Whoever comes first unlinks it and runs it; a ticket that comes
/// second has nothing left to do. Tickets are marked with the region, so that the waiter can clear
/// those away that lie in its own deque.
///
/// A lock guards the list: whoever wants isolation pays for it. Tickets share in this, since they
/// may outlive the scope.
class isolated_tasks : public std::enable_shared_from_this<isolated_tasks> {
 public:
  explicit isolated_tasks(registry& home) noexcept : home_(home), where_(new_region()) {}
  isolated_tasks(const isolated_tasks&) = delete;
  isolated_tasks& operator=(const isolated_tasks&) = delete;

  /// The region that the calling thread has to be in to wait for them. A worker of another pool
  /// takes no part, and must not look as if it did: it gets one that has no jobs.
  region where_to_wait() const noexcept;

  /// Takes `task` on, as registry::submit_unless_retired() does; a retired pool lets the caller run
  /// it. The one who waits, or one of the tasks. Throws what that throws; then `task` is the
  /// caller's again.
  void add(job& task, priority level);

  /// Have all ended? Whoever waits for them.
  bool none_left() noexcept;

  /// Waits until all have ended. A participant of the pool runs them, and jobs that they spawned;
  /// whoever else runs nothing. One thread at a time.
  void wait() noexcept;

 private:
  struct ticket final : listed_job {
    ticket(std::shared_ptr<isolated_tasks> list, job& what) noexcept
        : listed_job(&ticket::entry), home(std::move(list)), task(&what) {}
    static void entry(job& self) noexcept;

    std::shared_ptr<isolated_tasks> home;
    job* task;  // null: somebody has it
    ticket* older = nullptr;
    ticket* newer = nullptr;
  };

  job* take(ticket& t) noexcept;
  job* unlink(ticket& t) noexcept;
  void ended() noexcept;

  registry& home_;
  region where_;
  std::mutex mutex_;          // what follows, and what tickets have
  ticket* newest_ = nullptr;  // of those that have not started
  std::size_t left_ = 0;      // that have not ended
  latch* waiter_ = nullptr;   // to be told of a new one, and of the end
};

}  // namespace filch::detail
