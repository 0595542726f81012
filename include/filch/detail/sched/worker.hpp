// One participant of a pool: its deque, and how it finds, runs and waits for jobs.
#pragma once

#include "filch/detail/base/config.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/pages.hpp"
#include "filch/detail/base/rng.hpp"
#include "filch/detail/base/tally.hpp"
#include "filch/detail/base/ticks.hpp"
#include "filch/detail/queue/chase_lev.hpp"
#include "filch/detail/queue/ring.hpp"
#include "filch/detail/sched/account.hpp"
#include "filch/detail/sched/block_cache.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/sched/pacing.hpp"
#include "filch/detail/sched/parker.hpp"
#include "filch/detail/sched/participant.hpp"
#include "filch/detail/sched/region.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "filch/metrics.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class registry;

/// A job that was found, and the isolation region that it belongs to.
struct found_job {
  job* what = nullptr;
  region where = no_region;

  explicit operator bool() const noexcept { return what != nullptr; }
};

/// A thread's slot in a pool.
class worker {
 public:
  using clock = std::chrono::steady_clock;

  worker(registry& home, std::size_t index, participant_kind kind, std::uint64_t seed);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  /// The calling thread's slot, or null if it has none.
  static worker* current() noexcept { return current_; }

  registry& home() const noexcept { return home_; }
  std::size_t index() const noexcept { return index_; }
  participant_kind kind() const noexcept { return kind_; }
  bool is_guest() const noexcept { return kind_ == participant_kind::guest; }

  /// Pushes `j` into the deque, as a job of the current region or with the given tag, and wakes a
  /// sleeper if there is one. Owner only. Throws `std::bad_alloc`, and changes nothing, if the
  /// deque cannot grow.
  void push(job* j) { push(j, region_); }
  void push_submitted(job* j) { push(j, region_ | submitted); }
  void push(job* j, region tag) {
    deque_.push({j, tag});             // P1
    if (sleepers_.any()) [[unlikely]]  // P2, P3
      wake_another(region_of(tag));    // P4
  }

  /// Opens the calling thread's stack of branches as that of this participant. From now on thieves
  /// look at it. Owner only.
  void open_branches() noexcept { open_branches(false); }
  /// From now on no thief begins to look at it; thieves that look at it now may go on. Owner only.
  void hide_branches() noexcept;
  /// The same, then waits for those thieves, and closes the stack, which is empty. Owner only.
  void close_branches() noexcept;

  /// A guest begins one join: opens the stack of branches, and keeps the pool `host` alive until
  /// end_one_join() gives it back. That join's own branch is never popped on the fast path, so that
  /// the slow path sees the end of the join. Owner only.
  void begin_one_join(std::shared_ptr<registry> host) noexcept;
  /// The guest runs that branch itself, or is about to leave: the branch's slot may be used again.
  void begin_last_branch() noexcept { in_last_branch_ = true; }
  std::shared_ptr<registry> end_one_join() noexcept;
  bool is_here_for_one_join() const noexcept { return host_ != nullptr && !in_last_branch_; }

  /// A thief has asked for branches, or the stack goes on elsewhere. Owner only.
  void answer_thieves(branch_slot* h) noexcept;

  /// Makes sure that the next `count` pushes cannot throw. Owner only. Throws `std::bad_alloc`.
  void reserve(std::size_t count) { deque_.reserve(count); }

  /// Takes the newest job of the deque, in any region; null if there is none. Owner only.
  job* pop() noexcept {
    queued newest{};
    return deque_.pop(newest) ? newest.word : nullptr;
  }

  /// What a search looks at first: the newest job of the deque that may run here, or a job from
  /// outside if that is urgent or has its turn. Owner only.
  found_job find_here() noexcept { return distracted() ? find_here_or_outside() : pop_any(); }

  /// Runs a job taken from a queue, in its region. Owner only.
  void run(found_job j) noexcept {
    ticks none = 0;
    run_next(j, none);
  }

  /// The index that the next push() will have. Owner only.
  std::uint64_t next_index() const noexcept { return deque_.next_index(); }

  /// While `left` is positive, runs the jobs that were pushed from index `first` on and are still
  /// in the deque, newest first. Urgent jobs and jobs from outside have their turn in between.
  /// Owner only.
  void run_newest(std::uint64_t first, const std::int64_t& left) noexcept;

  // ---- isolation --------------------------------------------------------------------------------

  /// The region that the calling thread is in. Owner only.
  region current_region() const noexcept { return region_; }
  /// From now on the calling thread is in region `r`. Returns the region that it was in, for
  /// leave_region() or end_region(). Owner only.
  region enter_region(region r) noexcept;
  /// Goes back to `outer` from a job of a region that goes on elsewhere. Jobs that it left in the
  /// deque stay in the region: threads that wait in the region may need to run them. Owner only.
  void leave_region(region outer) noexcept;
  /// Goes back to `outer`, and the region ends. Jobs of it that are left in the deque become jobs
  /// of `outer`: else no thread that could run them might be left in the region. Owner only.
  void end_region(region outer) noexcept;
  /// Runs a job of another region, in that region. If the caller is in no region, jobs that this
  /// job leaves in the deque stay in its region, where other threads may be waiting for them. If
  /// the caller is in a region, they become jobs of the caller's region, as in end_region(). Owner
  /// only.
  [[gnu::cold, gnu::noinline]] void run_in_region(found_job j) noexcept;
  /// Runs the jobs of the current region that are left at the bottom of the deque. Owner only.
  void run_rest_of_region() noexcept {
    while (const found_job j = pop_own()) run(j);
  }
  /// A guest is about to leave. Its jobs go into the injector, so that they need not wait for the
  /// next guest. It runs the jobs of a region itself: threads that wait in the region could not
  /// take them from the injector. Owner only.
  void clear_before_leaving() noexcept;
  /// The region in which this participant sleeps, if it does. Any thread.
  region sleeps_in() const noexcept {
    return sleeps_in_.load(std::memory_order_relaxed);  // orders nothing: the look at the count did
  }

  /// Runs other jobs until `done` is set, and sleeps while there are none. Owner only.
  void wait(latch& done) noexcept { (void)wait_until(done, clock::time_point::max()); }

  /// The same, at most until `deadline`, which one job may overrun. True if `done` was set. `what`
  /// is the task that sets it, if that is known.
  bool wait_until(latch& done, clock::time_point deadline, awaited_task* what = nullptr) noexcept;

  /// The life of a pool's own thread: runs jobs until the pool stops.
  void run_until_stopped() noexcept;

  /// The calling thread is about to wait without helping, or in a region. One spare stands in for a
  /// worker, however many absences lie inside of each other; no spare stands in for a guest.
  /// Meanwhile thieves take the last of its jobs too, with any threshold, since the owner may not
  /// run it. False, and nothing begins, if there is no spare and the caller prefers to go on. Owner
  /// only.
  bool begin_absence(without_spare choice) noexcept;
  void end_absence() noexcept;

  /// For dump() and the metrics: is this worker blocked from now on? Owner only.
  void set_blocked(bool blocked) noexcept;

  /// How many waits the calling thread is in, one inside of the other. Owner only.
  std::size_t waits() const noexcept { return waits_; }
  /// Counts a wait for as long as it lives. Owner only.
  class counted_wait {
   public:
    explicit counted_wait(worker& w) noexcept : waits_(w.waits_) { ++waits_; }
    counted_wait(const counted_wait&) = delete;
    counted_wait& operator=(const counted_wait&) = delete;
    ~counted_wait() { --waits_; }

   private:
    std::size_t& waits_;
  };

  /// Is there a job that this participant could take in its present region? Looks at every source.
  /// Owner only.
  bool has_work_anywhere() noexcept;
  /// Has this participant a job that a thief in region `r` could take? Any participant.
  bool has_work_for_thief(region r) noexcept;
  /// Has this participant a job that it could run in its present region? Owner only.
  bool has_own_work() noexcept;
  /// A guess at the number of jobs of this participant that could be taken. Any thread; a thread
  /// that takes no part in the pool passes true.
  std::size_t size_hint(bool outsider = false) const noexcept;
  /// How many of the jobs that size_hint() counts are in the deque. Any thread.
  std::size_t deque_size_hint() const noexcept { return deque_.size_hint(); }
  /// Asks the owner for branches; S1. Any participant.
  void ask_for_branches() noexcept;
  /// Is a branch public? A hint that does not disturb the owner. Any participant.
  bool has_public_branch() const noexcept;

  /// Puts a job into the inbox, where only this worker looks. Any thread.
  void put_in_inbox(listed_job* j) noexcept;
  /// Owner only.
  bool inbox_empty() const noexcept {
    return oldest_in_inbox_ == nullptr &&
           inbox_.load(std::memory_order_relaxed) == nullptr;  // orders nothing: a hint
  }

  /// Is there a job that only this worker may run, and that it may run in its present region?
  /// Owner, or under the lock of spare_threads while the owner is a standby.
  bool has_mail() const noexcept { return region_ == no_region && !inbox_empty(); }

  parker& idle_parker() noexcept { return *parker_; }
  parker& standby_parker() noexcept { return *standby_parker_; }
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
  /// The tallies as they are at `now`. Any thread.
  worker_metrics measure(clock::time_point now) const noexcept;

  /// Memory for tasks of `Size` bytes that this worker spawns.
  template <std::size_t Size>
  auto& blocks() noexcept {
    if constexpr (Size <= 32)
      return small_blocks_;
    else if constexpr (Size <= 64)
      return blocks_;
    else
      return large_blocks_;
  }
  static constexpr std::size_t largest_block = 128;
  rng random;

  /// Makes `w` the calling thread's slot; null: it has none. Returns the slot that it had before.
  static worker* set_current(worker* w) noexcept {
    worker* const before = current_;
    current_ = w;
    return before;
  }

  /// In the child of a fork: the calling thread has no slot any more. If it looks for a job as if
  /// it still had one, it finds `in_the_way`.
  static void leave_by_fork(listed_job& in_the_way) noexcept {
    if (worker* const before = set_current(nullptr)) {
      before->oldest_in_inbox_ = &in_the_way;
      before->look_at_ = 0;
    }
  }

 private:
  struct goal {
    latch* done;  // null: until the pool stops
    clock::time_point deadline;
  };

  using queued = tagged<job*, region>;

  void run_where_it_belongs(found_job j) noexcept {
    if (j.where == region_) [[likely]]
      j.what->run();
    else
      run_in_region(j);
  }
  /// The same as run(), in a loop that finds and runs jobs and does nothing else. `before` is a
  /// variable of that loop, 0 at first. While a trace runs, it is the time at which the job before
  /// ended.
  void run_next(found_job j, ticks& before) noexcept {
    tallies.jobs.add();
    if (tracing_now() != not_tracing) [[unlikely]]
      before = run_traced(j, before);
    else
      run_where_it_belongs(j);
  }
  [[gnu::cold, gnu::noinline]] ticks run_traced(found_job j, ticks before) noexcept;
  void steal_failed(steal_status how) noexcept;
  found_job next_job(const goal& g, bool slept = false) noexcept;
  bool reached(const goal& g) const noexcept;
  found_job find() noexcept;
  /// May the next job be another one than the newest of the deque?
  bool distracted() const noexcept {
    if (tallies.jobs.read() >= look_at_) return true;
    // One test for both: every job pays for it, and usually there is neither.
    const auto mail = reinterpret_cast<std::uintptr_t>(
        inbox_.load(std::memory_order_relaxed));                   // orders nothing: a hint
    return (mail | urgent_.load(std::memory_order_relaxed)) != 0;  // orders nothing: a hint
  }
  [[gnu::cold, gnu::noinline]] found_job find_here_or_outside() noexcept;
  [[gnu::cold, gnu::noinline]] bool help_outside() noexcept;
  found_job find_outside_first() noexcept;
  /// The next look at work from outside comes after `jobs` more jobs.
  void look_after(std::uint64_t jobs) noexcept { look_at_ = tallies.jobs.read() + jobs; }
  bool stack_is_full() const noexcept;
  found_job pop_any() noexcept {
    queued newest;  // NOLINT(*-member-init): pop() fills it, and this is where every job goes by
    return deque_.pop(newest) ? found_job{newest.word, region_of(newest.tag)} : found_job{};
  }
  /// Pops the newest job of the deque, if it may run in the present region.
  bool pop_own(queued& newest) noexcept {
    return region_ == no_region ? deque_.pop(newest) : pop_of_region(newest);
  }
  found_job pop_own() noexcept {
    queued newest;  // NOLINT(*-member-init): pop_own() fills it
    return pop_own(newest) ? found_job{newest.word, region_of(newest.tag)} : found_job{};
  }
  [[gnu::cold, gnu::noinline]] bool pop_of_region(queued& newest) noexcept;
  [[gnu::cold, gnu::noinline]] bool run_newest_or_other(std::uint64_t first) noexcept;
  [[gnu::cold, gnu::noinline]] bool run_tagged(queued newest) noexcept;
  bool run_as_help(queued newest) noexcept;
  job* find_in_inbox() noexcept;
  job* find_in_injector() noexcept;
  job* find_installed() noexcept;
  job* find_submitted() noexcept;
  job* find_urgent() noexcept;
  job* take_one(priority level) noexcept;
  found_job find_in_own_branches() noexcept;
  found_job find_oldest_of_region() noexcept;
  template <class Is>
  bool oldest_is(Is is) noexcept;
  found_job find_by_theft() noexcept;
  found_job steal_what_is_public(worker& victim) noexcept;
  std::size_t steal_more(worker& victim) noexcept;
  found_job ask_and_steal(worker& victim) noexcept;
  found_job steal_of_region(worker& victim) noexcept;
  found_job taken_from(worker& victim, found_job j, std::size_t count) noexcept;
  static found_job found(branch_slot* taken) noexcept;
  void tag_next_branch() noexcept;
  std::size_t least_to_steal() const noexcept;
  void go_away() noexcept;
  void come_back() noexcept;
  bool is_away() const noexcept {
    return away_.load(std::memory_order_relaxed) != 0;  // own value
  }
  bool wait_with_a_full_stack(const goal& g, awaited_task* what) noexcept;
  found_job pop_pushed_since(std::uint64_t first) noexcept;
  bool stand_by(const goal& g) noexcept;
  bool nap(latch& done, without_spare choice) noexcept;
  void sleep(const goal& g) noexcept;
  void park(clock::time_point deadline) noexcept;
  [[gnu::cold, gnu::noinline]] void wake_another(region where) noexcept;
  void pass_on() noexcept;
  void wake_one_that_can_help() noexcept;
  void ask_everybody() noexcept;
  bool others_have_work(region where) const noexcept;
  void tell_of_outside_work(bool for_workers) noexcept;
  void open_branches(bool for_one_join) noexcept;

  /// Calls `f` with this participant's stack of branches, if it has one. A guest's stack may go
  /// away, so every visitor is counted. The stacks of the pool's own threads stay until no
  /// participant looks at them any more, so only visitors that take no part are counted.
  template <class F>
  void visit_branches(bool outsider, F f) const noexcept {
    if (branches_.load(std::memory_order_relaxed) == nullptr) return;  // orders nothing: a hint
    const bool counted = is_guest() || outsider;
    if (counted) visitors_.fetch_add(1, std::memory_order_seq_cst);                // [visit]
    if (branch_stack* const b = branches_.load(std::memory_order_seq_cst)) f(*b);  // [visit]
    if (counted) visitors_.fetch_sub(1, std::memory_order_release);                // [visit]
  }

  // Constant initialisation and the initial-exec model: reading it is one instruction.
  // Visible, since a shared libfilch and its program must agree on it.
  [[gnu::tls_model("initial-exec"),
    gnu::visibility("default")]] static inline constinit thread_local worker* current_ = nullptr;

  static constexpr std::uint64_t outside_turn = 61;  // every so many jobs outside work goes first

  chase_lev<queued> deque_{1024};  // so much that a thousand tasks at once resize nothing
  block_cache<32> small_blocks_;
  block_cache<64> blocks_;
  block_cache<largest_block> large_blocks_;
  std::shared_ptr<registry> host_;  // while this is a guest for one join
  bool in_last_branch_ = false;
  pages branch_memory_;
  atomic<branch_stack*> branches_{nullptr};  // in the thread-local memory of whoever sits here
  mutable atomic<std::uint32_t> visitors_{0};
  sleepers& sleepers_;
  const atomic<std::uint64_t>& urgent_;  // the pool's
  registry& home_;
  std::size_t index_;
  participant_kind kind_;
  region region_ = no_region;          // that the thread is in now
  branch_slot* tagged_end_ = nullptr;  // slots from here on have no region; null: none has
  std::size_t help_depth_ = 0;         // jobs on this stack that were run while others waited
  std::size_t waits_ = 0;              // on this stack, whether they help or not
  // The number of jobs run (tallies.jobs) at which the next look at outside work is due. 0 as long
  // as every search has to take the slow path: in a region, and while jobs of the inbox are left.
  std::uint64_t look_at_ = outside_turn;
  std::uint32_t urgent_looks_ = 0;         // at the injector of high priority
  std::uint32_t outside_looks_ = 0;        // at the others
  listed_job* oldest_in_inbox_ = nullptr;  // what was taken from the inbox and not run yet
  bool outside_in_deque_ = false;  // jobs from outside were put there since it was last empty
  bool oldest_next_ = false;       // whose turn it is among those that wait from outside
  bool installed_next_ = false;    // likewise
  pacing<clock> pacing_;
  const worker* asked_victim_ = nullptr;  // had nothing when asked; what it makes public is for us
  borrowed_parker parker_;
  borrowed_parker standby_parker_;  // where it sleeps with a full stack: no pool wakes it there
  atomic<activity> doing_{activity::absent};
  atomic<std::uint32_t> away_{0};  // waits without helping, one inside of the other
  atomic<region> sleeps_in_{no_region};
  atomic<std::size_t> last_victim_{SIZE_MAX};
  alignas(no_sharing_size) atomic<listed_job*> inbox_{nullptr};
};

}  // namespace filch::detail
