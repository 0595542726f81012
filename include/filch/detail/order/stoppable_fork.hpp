// A fork that also knows whether the user still wants the result.
#pragma once

#include <atomic>

#include "filch/detail/base/early_end.hpp"
#include "filch/options.hpp"

namespace filch::detail {

/// The state that all threads of one sort share. Steps that move elements are never skipped, or
/// elements would be missing. Steps that only improve the order ask may_start().
template <class Fork>
class stoppable_fork {
 public:
  /// Both arguments outlive this.
  stoppable_fork(const Fork& fork, const options& o) noexcept
      : fork_(fork), options_(o), stoppable_(can_end_early(o)) {}

  /// Calls `f` and `g`, perhaps at the same time. It calls both even if one throws.
  template <class F, class G>
  [[gnu::always_inline]] void operator()(F&& f, G&& g) const {
    fork_(static_cast<F&&>(f), static_cast<G&&>(g));
  }

  /// Any thread.
  bool may_start() const noexcept {
    if (!stoppable_ || !is_to_end(options_)) return true;
    skipped_.store(true, std::memory_order_relaxed);  // orders nothing: the forks do
    return false;
  }

  /// All threads have ended. Throws `cancelled` if a step was skipped.
  void end() const {
    if (skipped_.load(std::memory_order_relaxed))  // orders nothing: the forks do
      detail::throw_cancelled(options_, "a sort");
  }

 private:
  const Fork& fork_;
  const options& options_;
  const bool stoppable_;
  mutable std::atomic<bool> skipped_{false};
};

}  // namespace filch::detail
