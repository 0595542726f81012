// What a pool is inside: its workers, its injector, its sleepers, and whether it is idle.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "filch/detail/base/cache_line.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/detail/base/plain_vector.hpp"
#include "filch/detail/base/process.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/detail/queue/injector.hpp"
#include "filch/detail/sched/bell.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/forks.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/room.hpp"
#include "filch/detail/sched/sleepers.hpp"
#include "filch/detail/sched/worker.hpp"
#include "filch/metrics.hpp"
#include "filch/options.hpp"

namespace filch::detail {

class reservation;

/// The inside of a pool. `pool` is its face; scopes and futures keep it alive beyond the pool, then
/// without threads and closed.
class FILCH_HOLDS_STRINGS registry : public std::enable_shared_from_this<registry> {
 public:
  using clock = std::chrono::steady_clock;

  /// Checks the options (throws `usage_error`) but starts nothing.
  explicit registry(pool_options settings);
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;
  ~registry();

  /// Starts the threads. Once. Throws `std::system_error` if one cannot be started; then none runs.
  void start();
  /// Closes, waits until everything accepted has run, and joins the threads. Once; not by a worker
  /// of this pool. One of another pool helps its own meanwhile.
  void stop();
  /// From now on outside submissions throw `pool_closed`. Any thread. Nothing if inherited.
  void close() noexcept;
  /// From now on submissions run on the caller: what the default pool does after main. Any thread.
  void retire() noexcept { retired_.store(true, std::memory_order_release); }         // [retire]
  bool retired() const noexcept { return retired_.load(std::memory_order_acquire); }  // [retire]

  /// Was it inherited by fork()? Then its threads do not exist, its locks may be held for ever, and
  /// nothing here is touched any more but what says how things were.
  bool is_inherited() const noexcept { return !born_.is_here(); }
  /// It was, and its pool is gone. It stays for ever: destroying it would join threads, and free
  /// what only they could finish.
  void leave_to_parent() noexcept;
  /// Throws `usage_error` if it was.
  void require_threads() const {
    if (is_inherited()) [[unlikely]]
      refuse_inherited();
  }

  std::size_t size() const noexcept { return size_; }
  /// The pool whose inside this is; null once that is gone.
  filch::pool* face() const noexcept { return face_; }
  void set_face(filch::pool* p) noexcept { face_ = p; }
  const pool_options& settings() const noexcept { return settings_; }
  /// How messages call it: "pool 'render'", or "pool 'render' (number 2)", with its id(), if
  /// another pool of that name was there at the same time. Any thread. Throws `std::bad_alloc`.
  std::string title() const;

  /// Accepts `count` tasks linked by `next`, all or none: they will run, and wait_idle() waits for
  /// them. On a worker of this pool they go into that worker's deque, unless they have another
  /// priority than normal; else into the injector of their priority, as soon as there is room,
  /// which `place` may have reserved. A task ends by task_ended(). Any thread. Throws
  /// `pool_closed`, or `std::bad_alloc`; then the tasks are the caller's again.
  void submit_chain(listed_job* first, listed_job* last, std::size_t count,
                    priority level = priority::normal, reservation* place = nullptr);
  /// Where a task waits that the calling thread submits: in the region that the thread is in, if
  /// the task goes into its deque, else in the pool. Any thread.
  awaited_task::place place_for(bool into_deque) const noexcept {
    const worker* const w = worker::current();
    const bool mine = into_deque && w != nullptr && &w->home() == this;
    return awaited_task::place_of(this, mine ? w->current_region() : no_region);
  }
  /// The same for one task, but false if the pool has retired: then the caller runs it. Its own
  /// tasks may submit to the end.
  bool submit_unless_retired(listed_job* task, priority level = priority::normal,
                             reservation* place = nullptr);
  /// The same for one task that a worker has to run, not a guest.
  void submit_to_worker(listed_job* task);
  /// Gives task i to worker i, for every worker. Any thread. Throws `pool_closed`.
  void submit_to_each(std::span<listed_job* const> tasks);
  /// An accepted task has run, on the calling thread.
  static void task_ended() noexcept {
    worker* const w = worker::current();
    if (w == nullptr) [[unlikely]]
      went_on_after_fork();
    w->tasks.close();
    // A look at the usual two is enough: more work only means that found_nothing() is in vain.
    if (w->home().outside().empty_hint() && w->home().for_workers_.empty_hint())
      w->home().found_nothing();
  }

  /// Waits until nothing accepted is unfinished. Any thread but this pool's workers.
  bool wait_idle_until(clock::time_point deadline);

  /// A place for an outside thread, until leave(). Null if the pool has stopped: its threads are
  /// ending, and their branches with them. Any thread that is not in a pool. Throws
  /// `std::bad_alloc`.
  worker* enter();
  /// After worker::clear_before_leaving().
  void leave(worker& guest) noexcept;

  /// Is the calling thread one of this pool's participants?
  bool is_current() const noexcept {
    return worker::current() != nullptr && &worker::current()->home() == this;
  }

  /// Hands an exception nobody waits for to on_exception; without one, says so and terminates.
  void report(std::exception_ptr error) noexcept;

  void dump(std::ostream& out) const;
  measured_pool measure() const;
  /// All participants there ever were, workers first. Any thread.
  plain_vector<worker*> participants() const;

  // ---- for those who watch ----------------------------------------------------------------------

  /// No other pool of this process ever had or will have this number.
  std::uint32_t id() const noexcept { return id_; }
  /// How many jobs wait in the injectors, about. Any thread.
  std::size_t injected_hint() const noexcept;
  /// Does nobody do anything, and does nothing wait? True after the end, too. Any thread that does
  /// not take part.
  bool is_asleep() const noexcept;
  /// Once somebody who takes part wakes or comes, rings `b`, once. Whoever calls is_asleep() after
  /// this, and finds it so, will be told. Throws `std::bad_alloc`.
  void ring_when_up(bell& b);
  /// Not any more. After this `b` may go.
  void forget_bell(bell& b) noexcept;
  /// A participant does something again, which it has said by set_doing().
  void somebody_is_up() noexcept {
    light_fence();
    if (bells_wait_.load(std::memory_order_relaxed)) [[unlikely]]  // ordered by the fences
      ring_bells();
  }

  // ---- for workers ------------------------------------------------------------------------------
  sleepers& sleeping() noexcept { return sleepers_; }
  /// Puts a task that was accepted before into an injector, whether or not there is room. Any
  /// thread.
  void inject(listed_job* task, priority level = priority::normal) noexcept;
  /// Takes up to `most` tasks out of one. Participants only.
  listed_job* take_outside(priority level, std::size_t most) noexcept;
  injector<listed_job>& outside(priority level = priority::normal) noexcept {
    return outside_[static_cast<std::size_t>(level)];
  }
  /// How many tasks of high priority there are, about.
  const atomic<std::uint64_t>& urgent() const noexcept { return urgent_; }
  /// Is there work of high priority? A guess, of one load: whoever has to be sure asks its
  /// injector.
  bool has_urgent_work() const noexcept {
    return urgent_.load(std::memory_order_relaxed) != 0;  // orders nothing: a hint
  }
  /// The same for what guests must not take: install() means a worker.
  injector<listed_job>& outside_for_workers() noexcept { return for_workers_; }
  bool has_outside_work() const noexcept {
    return has_work_for_anybody() || !for_workers_.empty_hint();
  }
  /// Is there anything that `who`, the calling thread's place, could take? Looks at every source.
  bool has_work(worker& who) const noexcept;
  /// Asks every participant for branches: S1. Participants only.
  void ask_everybody() const noexcept;
  /// Whom to wake: guests do what workers do, but for what is installed, which is a worker's.
  enum class wanted : unsigned char { worker, anybody };
  /// P4: wakes one sleeper who may take a job of region `where`, if there is one. Any thread.
  bool wake_one(worker* by, wanted whom, region where) noexcept;
  /// Wakes one sleeper for whom there is work, if there is one. `by` is the calling thread's place.
  void wake_one_who_can_help(worker& by) noexcept;
  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }  // [stop]
  /// A participant has found nothing to do: perhaps there is nothing left at all.
  void found_nothing() noexcept {
    light_fence();
    if (watchers_.load(std::memory_order_relaxed) != 0) [[unlikely]]  // ordered by the fences
      settle();
  }

  // ---- blocked workers and those who stand in for them ------------------------------------------

  /// The calling worker is going to wait without helping, or in a region: a spare is called, or
  /// made. If there is none, a reserve is recalled, unless the caller would rather go on: then
  /// false. Else end_blocking() must follow.
  bool begin_blocking(without_spare choice) noexcept;
  void end_blocking() noexcept;

  /// A worker that sleeps though it could help, since its stack is full. The last two are used
  /// under the lock, while it is entered.
  struct reserve {
    worker& who;  // its bed is announced before it is entered
    bool recalled = false;
    reserve* next = nullptr;
  };
  /// As begin_blocking(), for one who would rather go on; but it may be recalled.
  bool begin_reserve(reserve& r) noexcept;
  /// True if it was recalled: whoever stood in is blocked, too, and there is no other spare; or
  /// there is something that nobody else may run.
  bool end_reserve(reserve& r) noexcept;
  /// Are there more spares at work than workers that are blocked? Then `spare`, the calling
  /// thread's place, is to rest.
  bool may_rest(const worker& spare) noexcept {
    return surplus_.load(std::memory_order_relaxed) > 0 &&  // orders nothing: asked again below
           begin_rest(spare);
  }

  /// The participants as thieves see them: grows, never shrinks.
  struct roster {
    explicit roster(std::size_t places) : capacity(places), entries(new atomic<worker*>[places]) {}
    std::size_t capacity;
    std::unique_ptr<atomic<worker*>[]> entries;
  };
  std::size_t roster_size() const noexcept {
    return roster_size_.load(std::memory_order_acquire);  // [join]
  }
  worker& participant(std::size_t i) const noexcept {
    const roster* r = roster_.load(std::memory_order_acquire);  // [join]
    return *r->entries[i].load(std::memory_order_relaxed);      // ordered by join
  }

 private:
  static constexpr std::uint64_t closed_bit = 1;
  static constexpr std::uint64_t one_task = 2;

  friend class reservation;
  friend std::vector<std::shared_ptr<registry>> live_pools();

  static void thread_main(void* note);
  void thread_body(std::size_t index) noexcept;
  os_thread start_thread(std::size_t index, std::optional<std::size_t> cpu);
  bool call_spare();
  bool can_be_replaced();
  void recall(reserve*& entry) noexcept;
  void recall_those_with_mail() noexcept;
  void count_blocked(int more) noexcept;
  bool begin_rest(const worker& spare) noexcept;
  bool rest_until_called(const worker& spare) noexcept;
  void leave_together() noexcept;
  void accept(std::uint64_t count);
  void accept_from_anywhere(std::uint64_t count);
  [[noreturn]] void refuse() const;
  bool needs_room() const noexcept {
    return settings_.queue_limit != 0 && !retired() && !is_current();
  }
  bool try_enter_room();
  void enter_room(std::size_t count) noexcept;
  void leave_room(std::size_t count) noexcept {
    if (settings_.queue_limit != 0) room_.leave(count);
  }
  [[gnu::cold, gnu::noinline]] void ring_bells() noexcept;
  void enlist() noexcept;
  std::array<char, 24> number_if_namesakes() const noexcept;
  void delist() noexcept;
  void put_outside(listed_job* first, listed_job* last, std::size_t count, priority level) noexcept;
  bool has_work_for_anybody() const noexcept;
  void require_running() const;
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_inherited() const;
  [[noreturn]] void end_program(const char* what, const char* advice,
                                const std::exception_ptr& error) const noexcept;
  void give_up_start(std::size_t started) noexcept;
  worker& add_participant(place_kind kind);
  bool settled(std::uint64_t& accepted) const noexcept;
  [[gnu::cold, gnu::noinline]] void settle() noexcept;
  void wake_all() noexcept;
  bool wake(worker& sleeper, worker* by) noexcept;
  bool others_have_work(const worker& who, region where) const noexcept;
  void end_threads() noexcept;

  pool_options settings_;
  std::size_t size_;
  birthplace born_;
  std::uint32_t id_;
  clock::time_point made_ = clock::now();
  registry* next_listed_ = nullptr;        // of live_pools(), under its lock
  bool listed_ = false;                    // the same
  std::atomic<bool> has_namesake_{false};  // another pool with its name was listed while it was
  std::shared_ptr<registry> self_;         // after leave_to_parent()
  registry* next_left_ = nullptr;          // the same
  filch::pool* face_ = nullptr;            // set before the threads start, cleared after they end
  std::array<injector<listed_job>, 3> outside_;  // one for each priority
  injector<listed_job> for_workers_;
  alignas(no_sharing_size) atomic<std::uint64_t> urgent_{0};  // tasks of high priority there
  room room_;  // the three injectors, if there is a queue_limit
  sleepers sleepers_;

  // Tasks accepted from outside, times one_task, and closed_bit: one word, so that a submission is
  // either before close() and will run, or after it and is refused.
  alignas(no_sharing_size) std::atomic<std::uint64_t> accepted_{0};
  alignas(no_sharing_size) atomic<std::uint32_t> watchers_{0};  // wait_idle() and close()
  std::atomic<bool> stopped_{false};
  std::atomic<bool> retired_{false};
  std::atomic<std::uint32_t> guests_{0};  // outside threads that take part now
  // Put into the injectors besides what accepted_ counts, less what that counts and went elsewhere.
  std::atomic<std::int64_t> injected_besides_{0};
  std::atomic<bool> bells_wait_{false};  // is there any in bells_?

  std::atomic<roster*> roster_{nullptr};
  std::atomic<std::size_t> roster_size_{0};

  std::mutex mutex_;  // what follows
  plain_vector<bell*> bells_;
  plain_vector<latch*> idle_waiters_;
  latch* stop_waiter_ = nullptr;  // stop() is called once
  plain_vector<worker*> free_guests_;
  plain_vector<std::unique_ptr<worker>> owned_;
  plain_vector<std::unique_ptr<roster>> rosters_;
  plain_vector<os_thread> threads_;
  std::size_t threads_leaving_ = 0;           // no thread ends while another may still look at its
  std::condition_variable everybody_leaves_;  // branches
  std::size_t blocked_ = 0;                   // workers that wait without helping
  std::size_t spares_ = 0;                    // threads made to stand in for them
  std::size_t spares_at_work_ = 0;
  reserve* reserves_ = nullptr;            // of those that are blocked
  worker* place_of_next_spare_ = nullptr;  // whose thread could not be started
  plain_vector<const worker*> resting_spares_;
  std::condition_variable spare_is_called_;
  atomic<std::int64_t> surplus_{0};  // spares_at_work_ less blocked_, for a look without the lock
};

/// Room for one task from outside that has not been made yet, until the task is submitted or this
/// ends.
class reservation {
 public:
  /// Any thread. Throws `pool_closed`.
  explicit reservation(registry& home)
      : home_(home), needed_(home.needs_room()), held_(needed_ && home.try_enter_room()) {}
  reservation(const reservation&) = delete;
  reservation& operator=(const reservation&) = delete;
  ~reservation() {
    if (held_) home_.leave_room(1);
  }
  /// Was there room, if any is needed?
  explicit operator bool() const noexcept { return held_ || !needed_; }
  bool held() const noexcept { return held_; }
  /// The task has it from now on.
  void use() noexcept { held_ = false; }

 private:
  registry& home_;
  bool needed_;
  bool held_;
};

/// All pools whose threads have not ended, in the order in which they were made. Any thread. Throws
/// `std::bad_alloc`.
std::vector<std::shared_ptr<registry>> live_pools();

/// The pool of the calling thread, else the default one, which is made if need be.
std::shared_ptr<registry> current_registry();

/// That of `chosen`; without one, current_registry().
std::shared_ptr<registry> registry_for(filch::pool* chosen);

/// An outside thread takes part in a pool for as long as this lives, unless the pool has stopped.
class guest_pass {
 public:
  explicit guest_pass(std::shared_ptr<registry> home)
      : home_(std::move(home)), place_(home_->enter()) {
    if (place_ == nullptr) return;
    before_ = worker::set_current(place_);
    place_->open_branches();
  }
  guest_pass(const guest_pass&) = delete;
  guest_pass& operator=(const guest_pass&) = delete;
  ~guest_pass() {
    if (place_ == nullptr) return;
    place_->clear_before_leaving();
    place_->close_branches();
    worker::set_current(before_);
    home_->leave(*place_);
  }

 private:
  std::shared_ptr<registry> home_;
  worker* place_;
  worker* before_ = nullptr;
};

}  // namespace filch::detail
