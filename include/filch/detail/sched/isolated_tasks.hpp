// The tasks of a scope whose wait runs nothing else.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/region.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class registry;

/// The tasks that an isolated scope has spawned. Each task runs in the region of the scope; the
/// thread that waits for them is in that region too.
///
/// Such a waiter cannot rely on the deques. It may look only at the newest job of its own deque and
/// at the oldest of the others'. A job may lie there that it must not run: a task that was
/// submitted after its own, or one that a thief took along. So a task is entered twice: in a list
/// of the scope, where the waiter finds it, and as a ticket in a deque or an injector, which brings
/// other threads to the list. The first thread to come unlinks the task and runs it; the ticket
/// then has nothing left to do. Tickets have the tag of the region, so that the waiter can clear
/// away those in its own deque.
///
/// A lock guards the list: only scopes that ask for isolation pay for it. Each ticket keeps this
/// object alive, since tickets may outlive the scope.
class isolated_tasks : public std::enable_shared_from_this<isolated_tasks> {
 public:
  explicit isolated_tasks(registry& home) noexcept;
  isolated_tasks(const isolated_tasks&) = delete;
  isolated_tasks& operator=(const isolated_tasks&) = delete;

  /// The region that the calling thread has to be in while it waits for them. A worker of another
  /// pool takes no part, and must not look as if it did: it gets a region that has no jobs.
  region where_to_wait() const noexcept;

  /// Accepts `task`, as submit_unless_retired() does; in a retired pool the caller runs it. Called
  /// by the waiter, or by one of the tasks. Throws what submit_unless_retired() throws; then `task`
  /// is the caller's again.
  void add(job& task, priority level);

  /// Have all ended? Waiter only.
  bool none_left() noexcept;

  /// Waits until all have ended, at most until `deadline`. True if they have. A participant of the
  /// pool runs them, and jobs that they spawned; any other thread runs nothing. One thread at a
  /// time.
  bool wait_until(std::chrono::steady_clock::time_point deadline) noexcept;

 private:
  struct ticket final : listed_job {
    ticket(std::shared_ptr<isolated_tasks> list, job& what) noexcept
        : listed_job(&ticket::entry), home(std::move(list)), task(&what) {}
    static void entry(job& self) noexcept;

    std::shared_ptr<isolated_tasks> home;
    job* task;  // null: a thread has taken it
    ticket* older = nullptr;
    ticket* newer = nullptr;
  };

  bool is_full() noexcept;
  bool has_waiting() noexcept;
  void run_in_place(job& task) noexcept;
  bool withdraw(latch& news) noexcept;
  job* take(ticket& t) noexcept;
  job* unlink(ticket& t) noexcept;
  void ended() noexcept;

  registry& home_;
  region where_;
  std::mutex mutex_;          // what follows, and what tickets have
  ticket* newest_ = nullptr;  // of those that have not started
  std::size_t waiting_ = 0;   // how many those are
  std::size_t left_ = 0;      // that have not ended
  latch* waiter_ = nullptr;   // to be notified of a new one, and of the end
};

}  // namespace filch::detail
