// The inside of a scope: how many tasks are left, and what they threw.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/countdown.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/task.hpp"

namespace filch::detail {

class scope_core {
 public:
  explicit scope_core(std::shared_ptr<registry> home);
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

 private:
  /// A task of a scope. If the pool counts it, its end has to be told to the pool.
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
    spawned(F&& f, scope_core& home) : member(&spawned::entry, home), f_(std::move(f)) {}
    void refuse() noexcept { delete this; }

   private:
    static void entry(job& self) noexcept {
      std::unique_ptr<spawned> task(&static_cast<spawned&>(self));
      scope_core& owner = task->owner;
      const bool counted = task->counted;
      if (!owner.skips()) {
        try {
          task->f_();
        } catch (...) {
          owner.record(caught::current());
        }
      }
      task.reset();
      owner.ended(counted);  // the scope may be gone
    }

    F f_;
  };

  template <class F, class T>
  class promised final : public member, public future_state<T> {
   public:
    promised(F&& f, scope_core& home) : member(&promised::entry, home), f_(std::move(f)) {}
    void refuse() noexcept {
      this->let_go();
      this->let_go();
    }

   private:
    static void entry(job& self) noexcept {
      auto& task = static_cast<promised&>(self);
      scope_core& owner = task.owner;
      const bool counted = task.counted;
      if (owner.skips())
        task.result.fail(skipped());
      else
        task.result.run(*task.f_);
      task.f_.reset();
      latch::set(task.done);
      task.let_go();
      owner.ended(counted);  // the scope may be gone
    }

    std::optional<F> f_;
  };

  template <class Task, class F>
  Task& start(F&& f) {
    auto* task = new Task(std::forward<F>(f), *this);
    tasks_.begin_one();
    try {
      submit(*task);
    } catch (...) {
      task->refuse();
      tasks_.take_back_one();
      throw;
    }
    return *task;
  }

  /// What the future of a skipped task gets.
  static caught skipped() noexcept;

  void submit(member& task);
  void record(caught&& error) noexcept;
  bool skips() const noexcept {
    return skip_.load(std::memory_order_relaxed);  // orders nothing: whoever misses it runs
  }
  void ended(bool counted) noexcept {
    if (counted) registry::task_ended();
    countdown::end_one(tasks_);
  }
  void wait_for_all() noexcept;

  std::shared_ptr<registry> home_;
  bool covered_;  // opened by a task that the pool counts, which ends after this scope's
  countdown tasks_;
  atomic<bool> skip_{false};
  std::mutex mutex_;              // errors_
  std::optional<caught> errors_;  // the first recorded, and the others
  int unwinding_ = std::uncaught_exceptions();
};

}  // namespace filch::detail
