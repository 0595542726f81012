// What the tasks of a scope threw.
#pragma once

#include <mutex>
#include <optional>

#include "filch/detail/sched/caught.hpp"

namespace filch::detail {

class registry;

/// The exception that was recorded first, and the others.
class scope_errors {
 public:
  /// Any thread.
  void record(caught&& error) noexcept;
  [[gnu::cold, gnu::noinline]] void record_current() noexcept { record(caught::current()); }

  // These are for the thread that has waited for all tasks.

  /// If there are some, throws the first and forgets all.
  void rethrow();
  /// The same with `error`, which suppresses them.
  [[noreturn]] void rethrow_after(caught error);
  /// Hands each to on_exception of `home`.
  void report(const registry& home) noexcept;

 private:
  std::mutex mutex_;
  std::optional<caught> all_;  // under mutex_
};

}  // namespace filch::detail
