// Threads that stand in for blocked workers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/participant.hpp"

namespace filch::detail {

class registry;
class worker;

/// Keeps as many spares at work as workers are blocked, at most `max_spares`. A spare is started
/// when it is first needed, and rests while it is not. src/sched/blocked_workers.md says more.
class spare_threads {
 public:
  explicit spare_threads(registry& home) noexcept : home_(home) {}
  spare_threads(const spare_threads&) = delete;
  spare_threads& operator=(const spare_threads&) = delete;

  /// The calling worker is about to wait without helping, or in a region. This wakes a spare that
  /// rests, or starts one. Without a spare it recalls a standby, or, if the caller prefers to go
  /// on, returns false. After true, end_blocking() must follow. `counted`: the worker counts as
  /// blocked already, and its spare stands in for this wait too; then end_blocking() must not
  /// follow.
  bool begin_blocking(without_spare choice, bool counted) noexcept;
  void end_blocking() noexcept;

  /// A worker that sleeps although it could help, since its stack is full. The last two members are
  /// used under the lock, while it is in the list of standbys.
  struct standby {
    worker& who;         // its standby parker is announced before it is entered
    std::size_t counts;  // 1, or 0 if the worker counts as blocked already
    bool recalled = false;
    standby* next = nullptr;
  };
  /// Like begin_blocking() for a worker that prefers to go on; but it may be recalled.
  bool begin_standby(standby& s) noexcept;
  /// True if it was recalled: another worker blocks and there is no spare for that one, or there is
  /// a job that no other thread may run.
  bool end_standby(standby& s) noexcept;
  /// Recalls every standby that has a job in its inbox and may run it. Any thread.
  void recall_for_inbox_jobs() noexcept;

  /// Are more spares at work than workers are blocked? Then `spare`, the calling thread's slot,
  /// must rest.
  bool may_rest(const worker& spare) noexcept {
    return surplus_.load(std::memory_order_relaxed) > 0 &&  // orders nothing: asked again below
           begin_rest(spare);
  }
  /// The calling spare sleeps until it is woken. False if the pool has stopped.
  bool rest_until_woken(const worker& spare) noexcept;
  /// The pool has stopped: ends every rest.
  void stop() noexcept;

 private:
  bool call();
  bool start_another();
  bool can_replace(std::size_t more);
  void recall(standby*& entry) noexcept;
  void count_blocked(std::int64_t more) noexcept;
  bool begin_rest(const worker& spare) noexcept;

  registry& home_;
  std::mutex mutex_;             // what follows
  std::size_t blocked_ = 0;      // workers that wait without helping
  std::size_t started_ = 0;      // spares there are
  std::size_t at_work_ = 0;      // of those
  standby* standbys_ = nullptr;  // of those that are blocked
  worker* next_slot_ = nullptr;  // of a spare whose thread could not be started
  std::vector<const worker*> resting_;
  std::condition_variable woken_;
  atomic<std::int64_t> surplus_{0};  // at_work_ less blocked_, for a look without the lock
};

}  // namespace filch::detail
