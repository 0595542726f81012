// Tasks of an algorithm that waits for all of them, never for a single one.
#pragma once

#include "filch/detail/loop/fork.hpp"
#include "filch/scope.hpp"

namespace filch::detail {

/// parallel_fork::tasks: the tasks of a scope. The scope is made for the first task.
class scope_tasks {
 public:
  explicit scope_tasks(const parallel_fork&) noexcept {}

  /// Calls `f`, which spawns tasks, and waits for all of them. Throws what `f` threw, or else what
  /// a task threw. If `f` throws, tasks that have not started are skipped.
  template <class F>
  void run(F&& f) {
    try {
      f();
    } catch (...) {
      if (scope_) scope_->core().wait_after(caught::current());
      throw;
    }
    if (scope_) scope_->wait();
  }

  /// Runs `f` before run() ends. The thread in run() and its tasks may call it. Throws as
  /// scope::spawn(); then `f` will not run.
  template <class F>
  void spawn(F f) {
    if (!scope_) scope_.emplace();  // only the thread in run() gets here: there are no tasks yet
    scope_->spawn(std::move(f));
  }

 private:
  std::optional<scope> scope_;
};

}  // namespace filch::detail
