// What templates need of a pool. Its inside stays in the library: no public header includes it.
#pragma once

#include <cstddef>
#include <exception>
#include <span>

#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/end_task.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class registry;
class reservation;

std::size_t worker_count(const registry& home) noexcept;
std::size_t most_slots(const registry& home) noexcept;
/// pool::limit().
void limit_threads(registry& home, std::size_t threads);
/// Throws `usage_error` if the pool has none: `who` needs a worker that begins the task later.
void require_workers(const registry& home, const char* who);
/// Is the calling thread a participant of `home`?
bool is_participant(const registry& home) noexcept;
/// Must install() call its function on the calling thread? See pool::install().
bool installs_in_place(const registry& home) noexcept;

// ---- tasks --------------------------------------------------------------------------------------

/// Accepts a task, as intake::submit_chain() does. False if the pool has retired and the caller is
/// not one of its participants: then the caller runs the task. Any thread. Throws `pool_closed`, or
/// `std::bad_alloc`; then the task is the caller's again.
bool submit_unless_retired(registry& home, listed_job* task, priority level = priority::normal,
                           reservation* admitted = nullptr);
/// The same, but never waits to be admitted: the task goes into the queue also above the limit.
bool submit_beyond_limit_unless_retired(registry& home, listed_job* task,
                                        priority level = priority::normal);
/// The same for `count` tasks linked by `next`, all or none.
bool submit_chain_unless_retired(registry& home, listed_job* first, listed_job* last,
                                 std::size_t count);
/// The same for a task that a worker has to run, not a guest.
bool submit_to_worker_unless_retired(registry& home, listed_job* task);
/// Gives task i to worker i, for every worker.
bool submit_to_each_unless_retired(registry& home, std::span<listed_job* const> tasks);

/// Where a task of the calling thread waits: see intake::wait_key(). Any thread.
awaited_task::wait_key wait_key_for(const registry& home, bool into_deque) noexcept;
/// The pool whose task the calling thread runs.
registry& home_of_this_task() noexcept;

/// Hands an exception that no thread waits for to on_exception. Without one, prints a message and
/// terminates.
void report_exception(const registry& home, std::exception_ptr error) noexcept;

/// Admits one task from outside that has not been made yet, for as long as this lives or until the
/// task is submitted.
class reservation {
 public:
  /// Any thread. Throws `pool_closed`.
  explicit reservation(registry& home);
  reservation(const reservation&) = delete;
  reservation& operator=(const reservation&) = delete;
  ~reservation();
  /// Is the task admitted, or does it need no admission?
  explicit operator bool() const noexcept { return held_ || !needed_; }
  bool held() const noexcept { return held_; }
  /// The admission belongs to the task from now on.
  void use() noexcept { held_ = false; }

 private:
  registry& home_;
  bool needed_;
  bool held_;
};

}  // namespace filch::detail
