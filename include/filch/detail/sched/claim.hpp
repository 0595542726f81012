// Who runs a task: the thread that takes it out of its queue, or the thread that waits for it.
#pragma once

#include <cstdint>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/region.hpp"

namespace filch::detail {

/// A task that a thread waits for, and may run by itself if no other thread has begun it.
class awaited_task {
 public:
  /// Where a task waits, as a number: its isolation region, or, if it is in none, its pool. A
  /// region is never in two pools, so the number says both. No address, and no state of a claim,
  /// is equal to the number of a region.
  using wait_key = std::uint64_t;
  static wait_key wait_key_of(const void* pool, region where) noexcept {
    return where == no_region ? reinterpret_cast<std::uintptr_t>(pool) : where * 8 + 4;
  }

  /// The key of a task that only the finder may run: no waiter waits there.
  static constexpr wait_key nowhere = 0;

  awaited_task(const awaited_task&) = delete;
  awaited_task& operator=(const awaited_task&) = delete;

  /// Runs it on the calling thread, which waits for it in `here`. False if the task waits
  /// elsewhere, or another thread has begun it: then nothing was done.
  virtual bool run_unless_begun(wait_key here) noexcept = 0;

 protected:
  awaited_task() = default;
  ~awaited_task() = default;
};

/// Decides who runs a task that waits in a queue: the finder, which takes it out of the queue, or
/// a waiter, which cannot take it out. The finder comes once. Of several waiters, which a shared
/// future may have, take() lets one run the task.
///
///      its key   ---- take() ----> claimed ---- ran() ----> has run
///          |                          |                        |
///          +---------- found() -------+------------------------+-------> out
///          |                          |                        |
///      the finder runs it      the waiter               the finder ends it,
///      and ends it             ends it after it ran     and does not run it
///
/// To end a task is to count it as ended and to let go of the queue's share in it. The second of
/// the two does that. So it happens once, and not while the task runs or still lies in the queue.
///
/// Edges
///   [has-run]  ran() stores -> found() loads     the finder ends the task after all that it did
///   [out]      found() stores -> ran() loads     the waiter may free the task: the finder does not
///                                                touch it any more
/// The claim itself orders nothing: the waiter has the task by its future, and has seen all that
/// came before the submission.
class claim {
 public:
  using wait_key = awaited_task::wait_key;
  /// What is left to do for the finder.
  enum class remainder : unsigned char { run_and_end, only_end, nothing };

  explicit claim(wait_key waits_in) noexcept : state_(waits_in) {}
  claim(const claim&) = delete;
  claim& operator=(const claim&) = delete;

  /// The waiter wants to run the task. If true, it runs it, and then calls ran().
  [[nodiscard]] bool take(wait_key here) noexcept {
    wait_key from = here;
    return state_.compare_exchange_strong(from, claimed,
                                          std::memory_order_relaxed,   // orders nothing: see above
                                          std::memory_order_relaxed);  // value unused
  }

  /// The waiter has run the task. If true, it ends the task too; else the finder will.
  [[nodiscard]] bool ran() noexcept {
    return state_.exchange(has_run, std::memory_order_acq_rel) == out;  // [has-run] [out]
  }

  /// The finder has taken the task out of its queue. If nothing is left to do, it may be gone.
  [[nodiscard]] remainder found() noexcept {
    const wait_key before = state_.exchange(out, std::memory_order_acq_rel);  // [has-run] [out]
    if (before == claimed) [[unlikely]]
      return remainder::nothing;
    return before == has_run ? remainder::only_end : remainder::run_and_end;
  }

 private:
  static constexpr wait_key claimed = 1;  // no pool has these addresses
  static constexpr wait_key has_run = 2;
  static constexpr wait_key out = 3;

  atomic<wait_key> state_;
};

}  // namespace filch::detail
