// What an algorithm needs of the scheduler. Tests replace it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/split/ticks.hpp"
#include "filch/join.hpp"

namespace filch::detail {

/// Runs two branches with results, as join() does. Both end. If both throw, the exception of the
/// first is thrown. The other functions affect only speed, not results.
template <class Fork>
concept fork_policy = requires(const Fork& fork) {
  {
    fork([] { return 1; }, [] {})
    } -> std::same_as<std::pair<int, nothing>>;
  /// How many threads can take part.
  { fork.workers() } -> std::same_as<std::size_t>;
  /// Identifies the calling thread. A branch that gets another value than the code that forked it
  /// was stolen.
  { fork.here() }
  noexcept->std::same_as<std::uintptr_t>;
  /// Does a thread look for work? A hint.
  { fork.hungry() }
  noexcept->std::same_as<bool>;
  { fork.now() }
  noexcept->std::same_as<ticks>;
};

/// Do short loops on this fork learn from earlier ones (see cost_history)? Tests that need the same
/// splits each time turn it off.
template <class Fork>
inline constexpr bool keeps_cost_history = requires {
  requires Fork::keeps_cost_history;
};

class scope_tasks;

/// The real one: filch::join().
struct parallel_fork {
  static constexpr bool keeps_cost_history = true;
  /// For algorithms whose parts do not wait for each other: see tasks.hpp.
  using tasks = scope_tasks;

  template <class F, class G>
  [[gnu::always_inline]] auto operator()(F&& f, G&& g) const
      -> std::pair<result_of<F>, result_of<G>> {
    return filch::join(static_cast<F&&>(f), static_cast<G&&>(g));
  }
  /// The number of workers of the current pool, or else of the default pool. Throws what creating
  /// that pool throws.
  std::size_t workers() const { return current_pool_size(); }
  std::uintptr_t here() const noexcept { return reinterpret_cast<std::uintptr_t>(&my_branches); }
  /// Also true on a thread that is not in a pool yet.
  bool hungry() const noexcept { return my_branches.asked(); }
  ticks now() const noexcept { return ticks_now(); }
};
static_assert(fork_policy<parallel_fork>);

}  // namespace filch::detail
