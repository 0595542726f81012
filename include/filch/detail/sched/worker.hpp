// One participant of a pool: its deque, and how it finds, runs and waits for jobs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/rng.hpp"
#include "filch/detail/base/tally.hpp"
#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/sched/account.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/sleepers.hpp"

namespace filch::detail {

class registry;

/// What a participant is doing, for dump() and the monitors.
enum class activity : unsigned char { absent, running, searching, sleeping };

/// A thread's place in a pool: one of its own threads, or a guest (an outside thread for as long as
/// it takes part).
class worker {
 public:
  using clock = std::chrono::steady_clock;

  worker(registry& home, std::size_t index, bool guest, std::uint64_t seed);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  /// The calling thread's place, or null if it has none.
  static worker* current() noexcept { return current_; }

  registry& home() const noexcept { return home_; }
  std::size_t index() const noexcept { return index_; }
  bool is_guest() const noexcept { return guest_; }

  /// Puts `j` into the own deque, wakes a sleeper if there is one, and returns where `j` lies.
  /// Owner only. Throws `std::bad_alloc`, and changes nothing, if the deque cannot grow.
  std::uint64_t push(job* j) {
    const std::uint64_t place = deque_.push(j);
    if (sleepers_.any()) [[unlikely]]
      wake_another();
    return place;
  }

  /// Takes back `j`, which was pushed at `place`, if it is the newest and nobody has taken it.
  /// Owner only.
  bool take_back(std::uint64_t place, job* j) noexcept { return deque_.take_back(place, j); }

  /// Makes sure that the next `count` pushes cannot throw. Owner only. Throws `std::bad_alloc`.
  void reserve(std::size_t count) { deque_.reserve(count); }

  /// Takes the newest job of the own deque. Owner only.
  bool pop(job*& j) noexcept { return deque_.pop(j); }

  /// Runs a job taken from a queue. Owner only.
  void run(job* j) noexcept {
    tallies.jobs.add();
    j->run();
  }

  /// Runs other jobs until `done` is set, and sleeps while there are none. Owner only.
  void wait(latch& done) noexcept { (void)wait_until(done, clock::time_point::max()); }

  /// The same, at most until `deadline`, which one job may overrun. True if `done` was set.
  bool wait_until(latch& done, clock::time_point deadline) noexcept;

  /// The life of a pool's own thread: runs jobs until the pool stops.
  void run_until_stopped() noexcept;

  /// A thief's side of the deque. Any thread.
  steal_status steal_from(job*& j) noexcept { return deque_.steal(j); }
  std::size_t size_hint() const noexcept { return deque_.size_hint(); }

  /// Puts a job where only this worker looks. Any thread.
  void put_in_inbox(listed_job* j) noexcept;
  bool inbox_empty() const noexcept {
    return inbox_.load(std::memory_order_relaxed) == nullptr;  // orders nothing: a hint
  }

  parker& bed() noexcept { return *bed_; }
  activity doing() const noexcept {
    return doing_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }
  void set_doing(activity a) noexcept {
    doing_.store(a, std::memory_order_relaxed);  // orders nothing: a hint
  }
  std::size_t last_victim() const noexcept {
    return last_victim_.load(std::memory_order_relaxed);  // orders nothing: a hint
  }

  account tasks;
  worker_tallies tallies;
  rng random;

  /// Makes a place the calling thread's own; null ends that. Returns what was before.
  static worker* set_current(worker* w) noexcept {
    worker* const before = current_;
    current_ = w;
    return before;
  }

 private:
  struct goal {
    latch* done;  // null: until the pool stops
    clock::time_point deadline;
  };

  job* next_job(const goal& g) noexcept;
  bool reached(const goal& g) const noexcept;
  job* find() noexcept;
  job* find_in_inbox() noexcept;
  job* find_in_injector() noexcept;
  job* find_by_theft() noexcept;
  void sleep(const goal& g) noexcept;
  [[gnu::cold, gnu::noinline]] void wake_another() noexcept;
  void pass_on() noexcept;
  bool newest_is_from_outside() const noexcept;

  // Constant initialisation and the initial-exec model: reading it is one instruction.
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local worker* current_ =
      nullptr;

  chase_lev<job*> deque_{256};
  sleepers& sleepers_;
  registry& home_;
  std::size_t index_;
  bool guest_;
  std::uint32_t looks_ = 0;          // for work, so far: every so many the injector goes first
  std::uint64_t outside_first_ = 0;  // where in the deque the last batch from the injector went:
  std::uint64_t outside_last_ = 0;   // indices [first, last)
  parker* bed_;
  atomic<activity> doing_{activity::absent};
  atomic<std::size_t> last_victim_{SIZE_MAX};
  alignas(no_sharing_size) atomic<listed_job*> inbox_{nullptr};
};

}  // namespace filch::detail
