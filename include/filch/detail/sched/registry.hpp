// The inside of a pool: the owner of its parts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "filch/detail/base/process.hpp"
#include "filch/detail/sched/idle_detector.hpp"
#include "filch/detail/sched/intake.hpp"
#include "filch/detail/sched/observers.hpp"
#include "filch/detail/sched/outside_queues.hpp"
#include "filch/detail/sched/pool_list.hpp"
#include "filch/detail/sched/roster.hpp"
#include "filch/detail/sched/seats.hpp"
#include "filch/detail/sched/spare_threads.hpp"
#include "filch/detail/sched/thread_team.hpp"
#include "filch/detail/sched/waker.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/options.hpp"

namespace filch {
class pool;
}

namespace filch::detail {

/// The inside of a `filch::pool`. Scopes, `per_worker` objects and samplers keep it alive beyond
/// the pool. It is closed then, and has no threads.
class registry : public std::enable_shared_from_this<registry> {
 public:
  using clock = std::chrono::steady_clock;

  /// Checks the options (throws `usage_error`) but starts nothing.
  explicit registry(pool_options settings);
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;
  ~registry();

  /// Starts the threads. Once. Throws `std::system_error` if one cannot be started; then none is
  /// left running.
  void start();
  /// Closes, waits until everything accepted has run, and joins the threads. Once; not by a worker
  /// of this pool. A worker of another pool helps its own meanwhile.
  void stop();
  /// From now on outside submissions throw `pool_closed`. Any thread. Does nothing if inherited.
  void close() noexcept;
  /// All that a thread of the pool does, from its start to its end.
  void run_thread(worker& self) noexcept;

  /// Was this pool inherited by fork()? Then its threads do not exist, and its locks may be held
  /// for ever: a caller may read constants only.
  bool is_inherited() const noexcept { return !born_.is_here(); }
  /// Throws `usage_error` if it was.
  void require_threads() const {
    if (is_inherited()) [[unlikely]]
      refuse_inherited();
  }

  std::size_t size() const noexcept { return settings_.threads; }
  const pool_options& settings() const noexcept { return settings_; }
  /// No other pool of this process ever has the same number.
  std::uint32_t id() const noexcept { return id_; }
  clock::time_point made() const noexcept { return made_; }
  /// The pool whose inside this is; null once that pool is gone.
  filch::pool* owner() const noexcept { return owner_; }
  void set_owner(filch::pool* p) noexcept { owner_ = p; }

  /// Is the calling thread a participant of this pool?
  bool is_current() const noexcept {
    return worker::current() != nullptr && &worker::current()->home() == this;
  }
  /// Can any participant have, or have had, a job? A pool that answers no has accepted no task, had
  /// no guest, and has no on_start hook. Any thread.
  bool has_had_work() const noexcept {
    return settings_.on_start || accepts.accepted().tasks != 0 || idle.has_had_guests();
  }
  bool stopped() const noexcept { return idle.stopped(); }
  /// Waits until nothing accepted is unfinished, at most until `deadline`. True if that moment
  /// came. Any thread but this pool's participants.
  bool wait_idle_until(clock::time_point deadline);
  /// A participant has ended a task, or found nothing to do, or a guest has left: perhaps the pool
  /// is idle, or has stopped.
  void found_nothing() noexcept {
    if (idle.has_waiters()) [[unlikely]]
      settle();
  }

  /// The calling thread, which has no slot, takes part from now on, in a slot for guests. False if
  /// the pool has stopped: its threads are ending, and their stacks of branches with them.
  bool enter(worker& guest) noexcept;
  /// Ends what enter() began. Called after worker::clear_before_leaving().
  void leave(worker& guest) noexcept;

 private:  // before the parts, which are made from it
  pool_options settings_;

 public:
  // The parts. Each class says who may use it.
  roster participants;
  waker wakes;
  outside_queues queues;
  seats seating;
  intake accepts;
  idle_detector idle;
  spare_threads spares;
  thread_team threads;
  observers observed;
  pool_links links;

 private:
  void end_threads() noexcept;
  [[gnu::cold, gnu::noinline]] void settle() noexcept;
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_inherited() const;

  birthplace born_;
  std::uint32_t id_;
  clock::time_point made_ = clock::now();
  filch::pool* owner_ = nullptr;  // set before the threads start, cleared after they end
};

/// A slot for a guest, for as long as this lives.
class guest_slot {
 public:
  /// Any thread. Throws `std::bad_alloc`.
  explicit guest_slot(std::shared_ptr<registry> home)
      : home_(std::move(home)), slot_(home_->participants.take_guest_slot(*home_)) {}
  guest_slot(const guest_slot&) = delete;
  guest_slot& operator=(const guest_slot&) = delete;
  ~guest_slot() {
    if (!home_->is_inherited()) home_->participants.return_guest_slot(slot_);
  }

  worker& operator*() const noexcept { return slot_; }
  worker* operator->() const noexcept { return &slot_; }

 private:
  std::shared_ptr<registry> home_;
  worker& slot_;
};

/// An outside thread takes part in a pool for as long as this lives, unless the pool has stopped.
/// Its call is the region `where`.
class guest_pass {
 public:
  guest_pass(worker& slot, region where) noexcept : slot_(slot), enters_(slot.home().enter(slot)) {
    if (!enters_) return;
    worker::set_current(&slot_);
    slot_.branches.open();
    (void)slot_.regions.enter(where);
  }
  guest_pass(const guest_pass&) = delete;
  guest_pass& operator=(const guest_pass&) = delete;
  /// The thread comes back to this slot: the jobs in its deque stay there meanwhile.
  void keep_jobs() noexcept { keeps_jobs_ = true; }
  ~guest_pass() {
    if (!enters_ || slot_.home().is_inherited()) return;
    if (!keeps_jobs_) slot_.clear_before_leaving();
    (void)slot_.regions.enter(no_region);
    slot_.branches.close();
    worker::set_current(nullptr);
    slot_.home().leave(slot_);
  }

 private:
  worker& slot_;
  bool enters_;
  bool keeps_jobs_ = false;
};

}  // namespace filch::detail
