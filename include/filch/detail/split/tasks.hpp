// Tasks of an algorithm of which nobody waits for a single one.
#pragma once

#include <optional>
#include <utility>

#include "filch/detail/sched/caught.hpp"
#include "filch/detail/split/fork.hpp"
#include "filch/scope.hpp"

namespace filch::detail {

/// What parallel_fork calls `tasks`: those of a scope, which is made for the first of them.
class scope_tasks {
 public:
  explicit scope_tasks(const parallel_fork&) noexcept {}

  /// Calls `f`, which spawns tasks, and waits for all of them. Throws what `f` threw, else what a
  /// task threw. If `f` throws, tasks that have not started are skipped.
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

  /// In run(), by its thread or by a task: runs `f` some time before that ends. Throws as
  /// scope::spawn(); then `f` will not run.
  template <class F>
  void spawn(F f) {
    if (!scope_) scope_.emplace();  // by the first thread, there is no other
    scope_->spawn(std::move(f));
  }

 private:
  std::optional<scope> scope_;
};

}  // namespace filch::detail
