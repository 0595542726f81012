// What an algorithm needs of the scheduler: a fork policy. Tests have others than the real one.
#pragma once

#include <concepts>

#include "filch/detail/base/ticks.hpp"
#include "filch/detail/sched/outcome.hpp"

namespace filch::detail {

/// Runs two branches with results, as join() does. Both end. If both throw, the exception of the
/// first is thrown. The other functions affect only speed, not results. A member
/// `keeps_cost_history` may be left out: it is true if short loops learn from earlier ones (see
/// cost_history). Tests that need the same splits each time leave it out.
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

/// A fork policy that is only declared, for concepts that ask whether something can use one.
struct declared_fork {
  template <class F, class G>
  auto operator()(F&& f, G&& g) const -> std::pair<result_of<F>, result_of<G>>;
  std::size_t workers() const;
  std::uintptr_t here() const noexcept;
  bool hungry() const noexcept;
  ticks now() const noexcept;
};
static_assert(fork_policy<declared_fork>);

/// Fork::keeps_cost_history; false if it was left out.
template <class Fork>
inline constexpr bool keeps_cost_history = requires {
  requires Fork::keeps_cost_history;
};

}  // namespace filch::detail
