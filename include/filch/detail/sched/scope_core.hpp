// The inside of a scope: how many tasks are left, and what they threw.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/atfork.hpp"
#include "filch/detail/sched/block_cache.hpp"
#include "filch/detail/sched/call_limit.hpp"
#include "filch/detail/sched/cancel_state.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/countdown.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/listed_job.hpp"
#include "filch/detail/sched/pool_access.hpp"
#include "filch/detail/sched/running_here.hpp"
#include "filch/detail/sched/scope_errors.hpp"
#include "filch/detail/sched/task.hpp"
#include "filch/detail/sched/worker_front.hpp"

namespace filch::detail {

class isolated_tasks;

/// Makes the tasks of a scope, counts those that are left, waits for them, and keeps what they
/// threw.
///
/// Larger than other classes: the start and the end of each task decide by the same few words who
/// counts the task. That is the worker that made the scope (counter_), an outside maker while it
/// runs its own tasks (ender_), or tasks_, which every thread may change. Two classes would need
/// each other's words on the shortest path of a spawn, whose instructions are counted by a test.
class scope_core {
 public:
  scope_core(std::shared_ptr<registry> home, const options& o);
  scope_core(const scope_core&) = delete;
  scope_core& operator=(const scope_core&) = delete;
  ~scope_core();

  template <class F>
  void spawn(F f) {
    require_callable(f, "scope::spawn");
    worker_front* const w = worker_front::current();
    if constexpr (fits_block<own_task<F>>)
      if (counts_apart(w)) [[likely]]
        if (own_task<F>* const task = own_task<F>::make(f, *this, *w)) [[likely]]
          return start_here(*task, *w);
    start<spawned<F>>(std::move(f), w);
  }

  template <class F>
  future_state<std::invoke_result_t<F&>>& async(F f) {
    require_callable(f, "scope::async");
    return start<promised<F, std::invoke_result_t<F&>>>(std::move(f), worker_front::current());
  }

  using clock = std::chrono::steady_clock;
  static constexpr clock::time_point for_ever = clock::time_point::max();

  /// Waits at most until `deadline`. True if all tasks have ended. Throws the exception that was
  /// recorded first, if they have; `usage_error` for a wait that would wait for its caller, if the
  /// scope knows.
  bool wait_until(clock::time_point deadline) {
    if constexpr (tells_tsan) {
      require_waitable();
      if (!wait_and_notify_tsan(deadline)) return false;
    }
    return wait_and_rethrow(deadline);
  }

  /// The code that spawned the tasks threw `error`. Tasks that have not started are skipped.
  /// `error` suppresses what the others threw.
  [[noreturn]] void wait_after(caught error) {
    if constexpr (tells_tsan) {
      cancelling_.end(phase::unwinding);
      wait_and_notify_tsan();
    }
    wait_and_rethrow_after(std::move(error));
  }

  /// Before the destructor: it frees what tasks have made.
  void before_end() noexcept {
    if constexpr (tells_tsan) {
      begin_end();
      wait_and_notify_tsan();
    }
  }

  /// The isolation region of the scope's tasks and of the wait for them, if it has its own region.
  region where_to_wait() const noexcept;

  /// Says whether tasks may start. Any thread.
  cancel_state& cancelling() const noexcept { return cancelling_; }

 private:
  template <class Task>
  static constexpr bool fits_block = alignof(Task) > alignof(std::max_align_t)
                                         ? false
                                         : sizeof(Task) <= task_memory::largest_block;

  /// Marks the calling thread as being inside a task of `scope`. While an outside maker ends tasks
  /// apart, it is marked once for all of them.
  class task_mark {
   public:
    explicit task_mark(const scope_core& scope) noexcept {
      if (!scope.ends_apart(worker_front::current())) mark_.emplace(scope);
    }

   private:
    std::optional<running_here> mark_;
  };

  /// Calls the function of a task that spawn() made, and keeps what it throws.
  template <class F>
  void call(F& f) noexcept {
    try {
      f();
    } catch (...) {
      errors_.record_current();
    }
  }

  /// A task that was spawned by the worker that counts apart, in that worker's memory. If the same
  /// worker runs it, no other thread has to know of it. Only deques of the pool's own threads hold
  /// it, never an injector or a guest's deque: so it needs no list.
  template <class F>
  class own_task final : public job {
   public:
    own_task(F&& f, scope_core& home) : job(&own_task::entry), owner_(home), f_(std::move(f)) {}

    /// Null if the worker has no block left. `counter` is the calling thread's slot, and counts
    /// apart.
    static own_task* make(F& f, scope_core& home, worker_front& counter) {
      void* const block = blocks_of(counter).take();
      if (block == nullptr) [[unlikely]]
        return nullptr;
      try {
        return ::new (block) own_task(std::move(f), home);
      } catch (...) {
        blocks_of(counter).put_back(block);
        throw;
      }
    }
    static void destroy(own_task& task, worker_front& counter) noexcept {
      std::destroy_at(&task);
      blocks_of(counter).put_back(&task);
    }

   private:
    static auto& blocks_of(worker_front& w) noexcept { return w.memory.blocks<sizeof(own_task)>(); }

    // The rare cases are functions of their own, so that the rest needs few registers.
    static void entry(job& self) noexcept {
      const sanitizer_seen seen;
      self.taken();
      auto& task = static_cast<own_task&>(self);
      if (!task.owner_.cancelling_.simply_runs()) [[unlikely]]
        return look_and_run(task);
      task.owner_.call(task.f_);
      worker_front* const here = worker_front::current();
      scope_core& owner = task.owner_;
      if (!owner.counts_apart(here)) [[unlikely]]
        return end_elsewhere(task);
      destroy(task, *here);
      --owner.apart_;
    }
    [[gnu::cold, gnu::noinline]] static void look_and_run(own_task& task) noexcept {
      if (!task.owner_.skips()) task.owner_.call(task.f_);
      end_elsewhere(task);
    }
    /// On a thief; or on the maker, in one of the rare cases.
    [[gnu::noinline]] static void end_elsewhere(own_task& task) noexcept {
      scope_core& owner = task.owner_;
      worker_front* const here = worker_front::current();
      if (here == nullptr) [[unlikely]]
        went_on_after_fork();
      std::destroy_at(&task);
      auto& mine = blocks_of(*here);
      std::remove_reference_t<decltype(mine)>::give_back(&task, mine);
      owner.ended(false, here);  // the scope may be gone
    }

    scope_core& owner_;
    F f_;
  };

  /// Any other task of a scope. If the pool counts it, it ends by task_ended().
  class member : public listed_job {
   public:
    member(entry what, scope_core& home) noexcept : listed_job(what), owner(home) {}
    scope_core& owner;
    bool counted = false;

   protected:
    ~member() = default;
  };

  template <class F>
  class spawned final : public member {
   public:
    spawned(F&& f, scope_core& home, bool memory_of_worker)
        : member(&spawned::entry, home), in_block_(memory_of_worker), f_(std::move(f)) {}

    /// `here` is the calling thread's slot in the pool of the scope, or null.
    static spawned* make(F&& f, scope_core& home, worker_front* here) {
      if constexpr (fits_block<spawned>)
        if (void* const block = here != nullptr ? blocks_of(*here).take() : nullptr) {
          try {
            return ::new (block) spawned(std::move(f), home, true);
          } catch (...) {
            blocks_of(*here).put_back(block);
            throw;
          }
        }
      return new spawned(std::move(f), home, false);
    }
    /// Destroys a task that was not accepted. `here` as in make().
    void refuse(worker_front* here) noexcept { destroy(here); }

   private:
    static auto& blocks_of(worker_front& w) noexcept { return w.memory.blocks<sizeof(spawned)>(); }
    void destroy(worker_front* here) noexcept {
      if (!in_block_) {
        delete this;
        return;
      }
      if (here == nullptr) [[unlikely]]
        went_on_after_fork();
      std::destroy_at(this);
      auto& mine = blocks_of(*here);
      std::remove_reference_t<decltype(mine)>::give_back(this, mine);
    }
    static void entry(job& self) noexcept {
      const sanitizer_seen seen;
      self.taken();
      auto& task = static_cast<spawned&>(self);
      scope_core& owner = task.owner;
      if (owner.brings_into_limit(self)) return;
      if (!owner.skips()) {
        const task_mark here(owner);
        owner.call(task.f_);
      }
      const bool counted = task.counted;
      worker_front* const here = worker_front::current();
      task.destroy(here);
      owner.ended(counted, here);  // the scope may be gone
    }

    const bool in_block_;  // its memory is a worker's, not the heap's
    F f_;
  };

  template <class F, class T>
  class promised final : public member, public future_state<T> {
   public:
    promised(F&& f, scope_core& home)
        : member(&promised::entry, home), f_(std::move(f)), claim_(home.key_of_task()) {}
    /// On the heap: its result may outlive the pool.
    static promised* make(F&& f, scope_core& home, worker_front*) {
      return new promised(std::move(f), home);
    }
    void refuse(worker_front*) noexcept {
      this->let_go();
      this->let_go();
    }

    bool run_unless_begun(claim::wait_key here) noexcept override {
      if (!claim_.take(here)) return false;
      const sanitizer_seen seen;
      finish();
      if (claim_.ran()) end();
      return true;
    }

   private:
    static void entry(job& self) noexcept {
      const sanitizer_seen seen;
      self.taken();
      auto& task = static_cast<promised&>(self);
      if (task.owner.brings_into_limit(self)) return;
      const claim::remainder mine = task.claim_.found();
      if (mine == claim::remainder::nothing) [[unlikely]]
        return;
      if (mine == claim::remainder::run_and_end) [[likely]]
        task.finish();
      task.end();
    }
    void finish() noexcept {
      if (owner.skips()) {
        this->result.fail(owner.skipped());
      } else {
        const task_mark here(owner);
        this->result.run(*f_);
      }
      f_.reset();
      this->deliver();
    }
    void end() noexcept {
      scope_core& home = owner;
      const bool was_counted = counted;
      this->let_go();
      home.ended(was_counted, worker_front::current());  // the scope may be gone
    }

    std::optional<F> f_;
    claim claim_;
  };

  template <class F>
  void start_here(own_task<F>& task, worker_front& w) {
    try {
      push(w, task);
    } catch (...) {
      own_task<F>::destroy(task, w);
      throw;
    }
    ++apart_;  // not ended yet: who could have taken it counts elsewhere
  }

  template <class Task, class F>
  Task& start(F&& f, worker_front* w) {
    if (!counts_apart(w)) return start_elsewhere<Task>(std::forward<F>(f), w);
    auto* const task = Task::make(std::forward<F>(f), *this, w);
    try {
      push(*w, *task);
    } catch (...) {
      task->refuse(w);
      throw;
    }
    ++apart_;  // as above
    return *task;
  }

  /// On another thread than the maker's, or in a scope that no worker of the pool made.
  template <class Task, class F>
  [[gnu::noinline]] Task& start_elsewhere(F&& f, worker_front* w) {
    if (worker_front* const slot = open_in_call(w))
      return start_in_call<Task>(std::forward<F>(f), *slot, w == nullptr || ends_apart(w));
    worker_front* const here = w != nullptr && &w->home() == home_.get() ? w : nullptr;
    auto* const task = Task::make(std::forward<F>(f), *this, here);
    task->given();
    tasks_.begin_one();
    try {
      const sanitizer_hidden hidden;
      if (here != nullptr && covered_)
        push(*here, *task);
      else
        submit(*task);
    } catch (...) {
      task->refuse(here);
      tasks_.take_back_one();
      throw;
    }
    return *task;
  }

  /// In a scope that an outside thread or a guest made: into the deque of `slot`, in whose account
  /// the task has been opened. `apart`: the calling thread counts it apart.
  template <class Task, class F>
  Task& start_in_call(F&& f, worker_front& slot, bool apart) {
    Task* task = nullptr;
    if (!apart) tasks_.begin_one();
    try {
      task = Task::make(std::forward<F>(f), *this, &slot);
      task->counted = true;
      task->given();
      push_in_call(slot, *task);
    } catch (...) {
      if (task != nullptr) task->refuse(&slot);
      if (!apart) tasks_.take_back_one();
      take_back_opened(slot);
      throw;
    }
    if (apart) ++apart_;  // as above
    return *task;
  }

  /// Where a task that is spawned now waits.
  claim::wait_key key_of_task() const noexcept {
    // An isolated scope takes a task for ended when its entry has been run, and a limited one
    // counts the threads that run entries. So no waiter may run a task of them.
    if (isolated_ != nullptr || limit_) return awaited_task::nowhere;
    return wait_key_for(*home_, covered_ || level_ == priority::normal);
  }

  /// Is `w` the worker that counts apart? Any thread; only that worker can get the answer yes.
  bool counts_apart(const worker_front* w) const noexcept {
    return w == counter_.load(std::memory_order_relaxed);  // orders nothing: as said
  }

  /// Is `w` the slot of the outside thread that made the scope, and runs its tasks now?
  bool ends_apart(const worker_front* w) const noexcept {
    return w == ender_.load(std::memory_order_relaxed);  // orders nothing: as said
  }

  static void push(worker_front& here, job& task) {
    const sanitizer_hidden hidden;
    here.push(&task);
    here.spawned.add();
  }

  /// What the future of a skipped task gets.
  caught skipped() const noexcept;

  /// With a limit of threads: is the calling thread not in the limited region? Then this runs
  /// `task` there, or leaves it with the threads that are.
  bool brings_into_limit(job& task) noexcept {
    if (!limit_) [[likely]]
      return false;
    return run_in_limit(task);
  }
  bool run_in_limit(job& task) noexcept;
  region call_region() const noexcept {
    return call_.load(std::memory_order_relaxed);  // orders nothing: another thread may do without
  }
  void set_call(region r) noexcept {
    call_.store(r, std::memory_order_relaxed);  // orders nothing: as above
  }
  void submit(member& task);
  /// The slot into whose deque the calling thread, which has the slot `w` or none, puts a task: its
  /// own in the call of the scope, or the one that the maker took. The task is opened in its
  /// account. Null if there is no such slot, or the pool is closed.
  worker_front* open_in_call(worker_front* w) noexcept;
  void run_oldest() noexcept;
  bool is_in_call(const worker_front& w) const noexcept;
  void take_back_opened(worker_front& slot) noexcept;
  /// Throws `std::bad_alloc`.
  void push_in_call(worker_front& slot, member& task);
  void take_slot() noexcept;
  void give_slot_back() noexcept;
  bool wait_as_guest(clock::time_point deadline) noexcept;
  bool wait_for_isolated(clock::time_point deadline) noexcept;
  bool wait_for_tasks(clock::time_point deadline) noexcept;
  bool skips() const noexcept { return cancelling_.skips(); }
  /// `here` is the calling thread's slot. Afterwards the scope may be gone.
  void ended(bool counted, const worker_front* here) noexcept {
    tsan_release(home_.get());  // for wait_idle(): an isolated task is counted elsewhere
    if (ends_apart(here)) {     // wait_as_guest() closes what was counted
      if (counted) ++unclosed_;
      --apart_;
      return;
    }
    if (counted) task_ended();
    if (counts_apart(here))
      --apart_;
    else
      countdown::end_one(tasks_);
  }
  void require_waitable() const;
  bool wait_and_rethrow(clock::time_point deadline);
  [[noreturn]] void wait_and_rethrow_after(caught error);
  /// Cancels the scope if an exception ends it.
  void begin_end() noexcept;
  bool wait_for_all(clock::time_point deadline) noexcept;
  /// ThreadSanitizer has to know what the tasks did before the library uses what they have made. So
  /// header code waits first.
  bool wait_and_notify_tsan(clock::time_point deadline = for_ever) noexcept {
    bool over = false;
    {
      const sanitizer_hidden hidden;
      over = wait_for_all(deadline);
    }
    tsan_acquire(&tasks_);
    tsan_acquire(&tasks_.none());
    return over;
  }
  bool inside_own_task() const noexcept;

  std::shared_ptr<registry> home_;
  // If a worker of the pool made the scope, it counts the tasks that it spawns and runs itself
  // apart, without read-modify-writes, until it waits.
  atomic<const void*> counter_{this};  // that worker; `this`, which is no worker, if none counts so
  atomic<const void*> ender_{this};    // the slot of an outside maker while it ends tasks apart
  std::int64_t apart_ = 0;             // tasks that it began less tasks that it ended
  std::uint64_t unclosed_ = 0;         // tasks that an outside maker ended and has not closed
  worker* maker_slot_ = nullptr;  // that worker, also while it waits; or an outside maker's slot
  std::size_t waits_ = 0;         // it was in so many waits when it made the scope
  std::uint64_t first_ = 0;       // where it was in its deque when it made the scope
  bool covered_;  // made by a task that the pool counts, which ends after this scope's; and not
                  // isolated, so that a task is entered in a deque only
  // The stack of branches of the thread that made the scope outside of its pool, if that thread may
  // take part.
  const branch_stack* outside_maker_ = nullptr;
  bool no_slot_ = false;  // its maker got none. Maker only
  // In which the maker waits, if it is no worker of the pool or the scope has a limit: that of its
  // tasks in the deques. The maker may set it while others spawn.
  atomic<region> call_{no_region};
  std::optional<call_limit::call> limit_;  // of options::max_workers
  region limited_ = no_region;             // with a limit: in which tasks run
  priority level_;                         // of tasks that come from outside
  countdown tasks_;
  std::shared_ptr<isolated_tasks> isolated_;  // null: it is not
  mutable cancel_state cancelling_;
  scope_errors errors_;
  int unwinding_ = std::uncaught_exceptions();
};

}  // namespace filch::detail
