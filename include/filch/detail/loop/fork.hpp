// The fork policy of the scheduler.
#pragma once

#include "filch/detail/loop/fork_policy.hpp"
#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/join_impl.hpp"

namespace filch::detail {

class scope_tasks;

/// The real one: does what filch::join() does.
struct parallel_fork {
  static constexpr bool keeps_cost_history = true;
  /// For algorithms whose parts do not wait for each other: see tasks.hpp.
  using tasks = scope_tasks;

  template <class F, class G>
  [[gnu::always_inline]] auto operator()(F&& f, G&& g) const
      -> std::pair<result_of<F>, result_of<G>> {
    auto [first, second] = detail::join_both<F, G>(static_cast<F&&>(f), static_cast<G&&>(g));
    return {static_cast<result_of<F>&&>(first), static_cast<result_of<G>&&>(second)};
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
