// The inside of a scope: how many tasks are left, and what they threw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/block_cache.hpp"
#include "filch/detail/sched/cancel_state.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/claim.hpp"
#include "filch/detail/sched/countdown.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/task.hpp"

namespace filch::detail {

class scope_core {
 public:
  scope_core(std::shared_ptr<registry> home, const options& o);
  scope_core(const scope_core&) = delete;
  scope_core& operator=(const scope_core&) = delete;
  ~scope_core();

  template <class F>
  void spawn(F f) {
    require_callable(f, "scope::spawn");
    start<spawned<F>>(std::move(f));
  }

  template <class F>
  future_state<std::invoke_result_t<F&>>& async(F f) {
    require_callable(f, "scope::async");
    return start<promised<F, std::invoke_result_t<F&>>>(std::move(f));
  }

  void wait();

  /// The code that spawned the tasks threw `error`: those that have not started are skipped, and
  /// what the others threw was outrun by it.
  [[noreturn]] void wait_after(caught error);

  /// Says whether tasks may start. Any thread.
  cancel_state& cancelling() const noexcept { return cancelling_; }

 private:
  template <class Task>
  static constexpr bool fits_block = alignof(Task) > alignof(std::max_align_t)
                                         ? false
                                         : sizeof(Task) <= worker::largest_block;

  /// A task of a scope. If the pool counts it, its end has to be told to the pool.
  class member : public listed_job {
   public:
    member(entry what, scope_core& home) noexcept : listed_job(what), owner(home) {}
    scope_core& owner;
    bool counted = false;
    bool in_block = false;  // its memory is a worker's, not the heap's

   protected:
    ~member() = default;
  };

  template <class F>
  class spawned final : public member {
   public:
    spawned(F&& f, scope_core& home) : member(&spawned::entry, home), f_(std::move(f)) {}

    /// `here` is the calling thread's place in the pool of the scope, or null.
    static spawned* make(F&& f, scope_core& home, worker* here) {
      if constexpr (fits_block<spawned>)
        if (void* const block = here != nullptr ? blocks_of(*here).take() : nullptr) {
          try {
            auto* const task = ::new (block) spawned(std::move(f), home);
            task->in_block = true;
            return task;
          } catch (...) {
            give_back(block, *here);
            throw;
          }
        }
      return new spawned(std::move(f), home);
    }
    void refuse() noexcept { destroy(); }

   private:
    static auto& blocks_of(worker& w) noexcept { return w.blocks<sizeof(spawned)>(); }
    static void give_back(void* block, worker& here) noexcept {
      std::remove_reference_t<decltype(blocks_of(here))>::give_back(block, blocks_of(here));
    }
    void destroy() noexcept {
      if (!in_block) {
        delete this;
        return;
      }
      worker* const here = worker::current();
      if (here == nullptr) [[unlikely]]
        went_on_after_fork();
      std::destroy_at(this);
      give_back(this, *here);
    }
    static void entry(job& self) noexcept {
      auto& task = static_cast<spawned&>(self);
      scope_core& owner = task.owner;
      const bool counted = task.counted;
      if (!owner.skips()) {
        try {
          task.f_();
        } catch (...) {
          owner.record(caught::current());
        }
      }
      task.destroy();
      owner.ended(counted);  // the scope may be gone
    }

    F f_;
  };

  template <class F, class T>
  class promised final : public member, public future_state<T> {
   public:
    promised(F&& f, scope_core& home)
        : member(&promised::entry, home),
          f_(std::move(f)),
          claim_(home.home_->place_for(home.covered_ || home.level_ == priority::normal)) {}
    /// On the heap: its result may outlive the pool.
    static promised* make(F&& f, scope_core& home, worker*) {
      return new promised(std::move(f), home);
    }
    void refuse() noexcept {
      this->let_go();
      this->let_go();
    }

    bool run_unless_begun(claim::place here) noexcept override {
      if (!claim_.take(here)) return false;
      finish();
      if (claim_.ran()) end();
      return true;
    }

   private:
    static void entry(job& self) noexcept {
      auto& task = static_cast<promised&>(self);
      const claim::duty mine = task.claim_.found();
      if (mine == claim::duty::nothing) [[unlikely]]
        return;
      if (mine == claim::duty::run_and_end) [[likely]]
        task.finish();
      task.end();
    }
    void finish() noexcept {
      if (owner.skips())
        this->result.fail(owner.skipped());
      else
        this->result.run(*f_);
      f_.reset();
      this->deliver();
    }
    void end() noexcept {
      scope_core& home = owner;
      const bool was_counted = counted;
      this->let_go();
      home.ended(was_counted);  // the scope may be gone
    }

    std::optional<F> f_;
    claim claim_;
  };

  template <class Task, class F>
  Task& start(F&& f) {
    worker* const w = worker::current();
    worker* const here = w != nullptr && &w->home() == home_.get() ? w : nullptr;
    auto* const task = Task::make(std::forward<F>(f), *this, here);
    begin_one(w);
    try {
      if (here != nullptr && covered_) {
        here->push(task);
        here->tallies.spawned.add();
      } else {
        submit(*task);
      }
    } catch (...) {
      task->refuse();
      take_back_one(w);
      throw;
    }
    return *task;
  }

  // The worker that opened the scope counts what it spawns and what it runs by itself, without
  // read-modify-writes, until it waits.
  bool counts_apart(const worker* w) const noexcept { return w == opener_ && covered_ && !closed_; }
  void begin_one(const worker* w) noexcept {
    if (counts_apart(w))
      ++apart_;
    else
      tasks_.begin_one();
  }
  void take_back_one(const worker* w) noexcept {
    if (counts_apart(w))
      --apart_;
    else
      tasks_.take_back_one();
  }

  /// What the future of a skipped task gets.
  caught skipped() const noexcept;

  void submit(member& task);
  void record(caught&& error) noexcept;
  bool skips() const noexcept { return cancelling_.skips(); }
  void ended(bool counted) noexcept {
    if (counted) registry::task_ended();
    if (counts_apart(worker::current()))
      --apart_;
    else
      countdown::end_one(tasks_);
  }
  void wait_for_all() noexcept;

  std::shared_ptr<registry> home_;
  worker* opener_;          // the place that opened it, if any
  bool covered_;            // opened by a task that the pool counts, which ends after this scope's
  priority level_;          // of tasks that come from outside
  bool closed_ = false;     // the opener's: it waits, and counts nothing apart
  std::int64_t apart_ = 0;  // the opener's: tasks begun less tasks ended
  countdown tasks_;
  mutable cancel_state cancelling_;
  std::mutex mutex_;              // errors_
  std::optional<caught> errors_;  // the first recorded, and the others
  int unwinding_ = std::uncaught_exceptions();
};

}  // namespace filch::detail
