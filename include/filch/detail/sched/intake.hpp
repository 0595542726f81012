// How a pool takes work: what it accepts, and where that goes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class account;
class outside_queues;
class registry;
class reservation;

/// Decides whether a pool accepts a task, counts it, and puts it into the caller's deque or into
/// the queues for outside work.
///
/// Edges
///   [close]   a submission and close() change accepted_ -> accepted() loads it   the count that
///             goes with the closed bit is final
///   [open]    open_in() opens a task, then looks for the closed bit <-> close() sets the bit, then
///             idle_detector::begin_stop()   with fences in between: the pool knows of the task, or
///             the task is refused
///   [retire]  retire() stores retired_ -> retired() loads it
class intake {
 public:
  intake(registry& home, outside_queues& queues) noexcept : home_(home), queues_(queues) {}
  intake(const intake&) = delete;
  intake& operator=(const intake&) = delete;

  /// Accepts `count` tasks linked by `next`, all or none: they will run, and wait_idle() waits for
  /// them. A participant of this pool puts tasks of normal priority into its own deque. Any other
  /// task goes into the queue of its priority, as soon as it is admitted if it comes from outside;
  /// `admitted` may have done that. A task ends by task_ended(). Any thread. Throws `pool_closed`,
  /// or `std::bad_alloc`; then the tasks are the caller's again.
  void submit_chain(listed_job* first, listed_job* last, std::size_t count,
                    priority level = priority::normal, reservation* admitted = nullptr);
  /// The same for one task that goes into the queue of its priority, also above the limit. Any
  /// thread.
  void submit_beyond_limit(listed_job* task, priority level);
  /// The same for one task of install(), which is never limited.
  void submit_to_worker(listed_job* task);
  /// Gives task i to worker i, for every worker. Any thread. Throws `pool_closed`.
  void submit_to_each(std::span<listed_job* const> tasks);
  /// Puts a task that was accepted before into a queue, also above the limit. Any thread.
  void inject(listed_job* task, priority level = priority::normal) noexcept;

  /// Opens a task of an outside thread in the account of the slot whose deque the thread puts it
  /// into. False, and nothing is opened, if the pool is closed. Owner of the slot only.
  [[nodiscard]] bool open_in(account& of) noexcept;

  /// Where a task of the calling thread waits: in the region that the thread is in, if the task
  /// goes into its deque; else in the pool. Any thread.
  awaited_task::wait_key wait_key(bool into_deque) const noexcept;

  /// From now on submissions from outside throw `pool_closed`. True the first time. Any thread.
  bool close() noexcept;
  /// Throws `pool_closed` if an outside thread may submit nothing any more. Any thread.
  void require_open() const;
  /// From now on the caller runs what it submits: the default pool retires after main. Any thread.
  void retire() noexcept { retired_.store(true, std::memory_order_release); }         // [retire]
  bool retired() const noexcept { return retired_.load(std::memory_order_acquire); }  // [retire]

  /// Tasks accepted from outside so far, and whether there can be more. Any thread.
  struct accepted_count {
    std::uint64_t tasks;
    bool closed;
  };
  accepted_count accepted() const noexcept {
    const std::uint64_t word = accepted_.load(std::memory_order_acquire);  // [close]
    return {word / one_task, (word & closed_bit) != 0};
  }
  /// About how many jobs wait in the queues. Any thread.
  std::size_t waiting_hint() const noexcept;

  // ---- for a reservation ------------------------------------------------------------------------

  /// Must a task of the calling thread be admitted before it is submitted?
  bool needs_admission() const noexcept;
  /// Admits one task, if the queues are below the limit. Throws `pool_closed`.
  bool try_admit();
  /// Takes that back.
  void release_admission() noexcept;

 private:
  void accept(std::uint64_t count);
  void accept_from_anywhere(std::uint64_t count);
  void require_running() const;
  [[noreturn]] void refuse() const;

  static constexpr std::uint64_t closed_bit = 1;
  static constexpr std::uint64_t one_task = 2;

  registry& home_;
  outside_queues& queues_;
  // Tasks accepted from outside, times one_task, and closed_bit. They share a word, so that a
  // submission either comes before close() and will run, or comes after it and is refused.
  alignas(no_sharing_size) std::atomic<std::uint64_t> accepted_{0};
  std::atomic<bool> retired_{false};
  // The number of tasks that were put into the queues and are not in accepted_, minus the number of
  // tasks in accepted_ that went elsewhere.
  std::atomic<std::int64_t> injected_besides_{0};
};

}  // namespace filch::detail
