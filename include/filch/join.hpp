// join: runs two or more functions in parallel and returns all results.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/join_impl.hpp"

namespace filch {

struct options;

/// Calls `f` and `g`, in parallel if a worker is free, and returns both results.
///
/// How      The caller runs `f`, while `g` waits on its stack of branches. If no thief has taken
///          `g` when `f` ends, the caller runs `g` too. If a thief has, the caller runs other jobs
///          until `g` is done. A small closure that is made in the call is copied, as bytes, for
///          the thread that runs it. Any other function, and one that is passed by name, is called
///          where it is.
/// Returns  `{f(), g()}`; a function that returns void gives `filch::nothing`.
/// Throws   What `f` or `g` threw, once both have ended. If both threw, what `f` threw;
///          `filch::suppressed()` has the other exception. On a thread outside of every pool also
///          `std::bad_alloc` and what making the default pool throws; then neither function was
///          called. Joins that nest deeper than 65536 levels on one stack need more memory than was
///          set aside. If there is none, the program ends with a message.
/// Threads  Any. A thread outside of every pool is a guest of `default_pool()` until both are done.
///          It runs `f`, `g` and what they spawn, and no job of another caller.
/// Memory   `f` and `g` see what the caller did before the call. The caller sees what they did when
///          the call returns.
/// Cost     No allocation, no read-modify-write and no fence while no thread looks for work: a few
///          nanoseconds (docs/investigations). It takes some 50 bytes of stack besides what `f`
///          uses (docs/design/blocking.md).
///
///     auto [left, right] = filch::join([&] { return sum(lo); }, [&] { return sum(hi); });
///
/// See also `scope`, which takes any number of tasks.
template <std::invocable F, std::invocable G>
[[gnu::always_inline]] inline auto join(F&& f, G&& g)
    -> std::pair<detail::result_of<F>, detail::result_of<G>> {
  static_assert(std::is_move_constructible_v<detail::result_of<F>> &&
                    std::is_move_constructible_v<detail::result_of<G>>,
                "filch: join(f, g) returns both results as a pair, so they must be movable");
  auto [first, second] = detail::join_both<F, G>(static_cast<F&&>(f), static_cast<G&&>(g));
  return {static_cast<detail::result_of<F>&&>(first), static_cast<detail::result_of<G>&&>(second)};
}

/// Calls three or more functions in the same way, and returns a tuple of all results. If several
/// throw, the exception of the one with the lowest index is thrown.
template <std::invocable F, std::invocable... G>
requires(sizeof...(G) >= 2) [[gnu::always_inline]] inline auto join(F&& f, G&&... g)
    -> std::tuple<detail::result_of<F>, detail::result_of<G>...> {
  static_assert(std::is_move_constructible_v<detail::result_of<F>> &&
                    (std::is_move_constructible_v<detail::result_of<G>> && ...),
                "filch: join(f, g, ...) returns all results as a tuple, so they must be movable");
  return detail::join_many(std::index_sequence_for<G...>(), static_cast<F&&>(f),
                           static_cast<G&&>(g)...);
}

#define FILCH_JOIN_HAS_NO_OPTIONS                                                                \
  "filch: join() takes no options. pool.install([&] { filch::join(f, g); }) runs it on another " \
  "pool; a scope takes options and any number of tasks"
template <class F, class... G>
FILCH_REFUSED(FILCH_JOIN_HAS_NO_OPTIONS, join(const options&, F&&, G&&...));
template <std::invocable F, std::invocable G>
FILCH_REFUSED(FILCH_JOIN_HAS_NO_OPTIONS, join(F&&, G&&, const options&));
#undef FILCH_JOIN_HAS_NO_OPTIONS

}  // namespace filch
