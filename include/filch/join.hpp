// Several things at once.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/join_impl.hpp"

namespace filch {

/// Calls `f` and `g`, in parallel if a worker is free, and returns both results.
///
/// `f` runs on the calling thread while `g` waits in that thread's stack of branches. If no thief
/// has taken `g` by the time `f` ends, the caller runs `g` too; if one has, the caller helps until
/// `g` has ended: it runs other jobs. A small closure made in the call is copied (as bytes) for the
/// thread that runs it; anything else, and what is passed by name, is called where it is.
///
/// Returns  `{f(), g()}`; a function that returns void gives `filch::nothing`.
/// Throws   What `f` or `g` threw, once both have ended; what `f` threw if both did, and
///          `filch::suppressed()` has the other. On a thread outside of every pool also what making
///          the default pool throws, and `std::bad_alloc`; then neither was called. Joins nested
///          deeper than 65536 levels on one stack need more memory than was set aside; if there is
///          none, the program ends with a message.
/// Threads  Any. A thread outside of every pool takes part in `default_pool()` until both are done.
/// Memory   What came before the call is seen by `f` and `g`; what they did is seen on return.
/// Cost     No allocation, no read-modify-write and no fence while nobody is looking for work: it
///          takes a few nanoseconds (docs/investigations), and some 50 bytes of stack besides what
///          `f` uses (docs/design/blocking.md).
///
///     auto [left, right] = filch::join([&] { return sum(lo); }, [&] { return sum(hi); });
///
/// See also `scope`, for any number of tasks.
template <std::invocable F, std::invocable G>
[[gnu::always_inline]] inline auto join(F&& f, G&& g)
    -> std::pair<detail::result_of<F>, detail::result_of<G>> {
  static_assert(std::is_move_constructible_v<detail::result_of<F>> &&
                    std::is_move_constructible_v<detail::result_of<G>>,
                "filch: join(f, g) returns both results as a pair, so they must be movable");
  auto [first, second] = detail::join_both<F, G>(static_cast<F&&>(f), static_cast<G&&>(g));
  return {static_cast<detail::result_of<F>&&>(first), static_cast<detail::result_of<G>&&>(second)};
}

/// The same for three and more: returns a tuple of all results. If several throw, the one with the
/// lowest index is thrown.
template <std::invocable F, std::invocable... G>
requires(sizeof...(G) >= 2) [[gnu::always_inline]] inline auto join(F&& f, G&&... g)
    -> std::tuple<detail::result_of<F>, detail::result_of<G>...> {
  static_assert(std::is_move_constructible_v<detail::result_of<F>> &&
                    (std::is_move_constructible_v<detail::result_of<G>> && ...),
                "filch: join(f, g, ...) returns all results as a tuple, so they must be movable");
  return detail::join_many(std::index_sequence_for<G...>(), static_cast<F&&>(f),
                           static_cast<G&&>(g)...);
}

}  // namespace filch
