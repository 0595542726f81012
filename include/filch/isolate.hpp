// A wait that runs nothing else, and a wait that others make up for.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/isolation.hpp"

namespace filch {

/// Calls `f`; while it waits (in join, scope::wait, future::get, ...) its thread runs only jobs
/// that were spawned by `f`, directly or not.
///
/// How      Waiting runs other jobs meanwhile. If `f` holds a lock, or anything else that must not
///          be entered twice, such a job could want the same lock on the same thread, and hang.
///          Jobs that `f` spawns belong to its region wherever they run: a thief that waits in one
///          of them runs only jobs of that region too. Regions nest: inside of an inner isolate()
///          a wait runs only jobs of the inner one. A task that is left in a scope of outside when
///          `f` returns belongs to no inner region any more.
///          While it sleeps, since there is no such job, a spare thread stands in for a worker, as
///          in blocking(): so the rest of the pool goes on, and so does what `f` put outside of its
///          region by a priority, install() or schedule(). Once `pool_options::max_spares` stand
///          in, nobody does for the next.
/// Careful  On a thread outside of every pool it is a plain call, and makes no region: a join or a
///          wait for a scope takes part there as a guest, and may run any job. Do not hold a lock
///          over that; let a worker do it, by pool.install().
///          A loop that polls, such as `while (!f.wait_for(0s))`, for something outside of the
///          region gets on only by short naps in which a spare stands in, and not at all without a
///          spare; get(), or a wait with some time, is quicker and cheaper.
/// Returns  What `f` returns.
/// Throws   What `f` throws.
/// Threads  Any; but see Careful.
/// Cost     Some tens of nanoseconds; and inside, a join costs some nanoseconds more.
///
///     std::scoped_lock lock(mutex);  // in a task
///     filch::isolate([&] { filch::join(a, b); });  // nobody's job that wants the mutex runs here
template <std::invocable F>
decltype(auto) isolate(F&& f) {
  const detail::in_region here(detail::new_region());
  return std::invoke(std::forward<F>(f));
}

/// Calls `f`, which blocks: on a file, a socket, another process. Meanwhile a spare thread does the
/// work of this worker, so that the pool stays at strength.
///
/// How      Spare threads are made when needed, at most `pool_options::max_spares`, and kept; with
///          no worker blocked they rest. Beyond that number `f` blocks without one. A spare has an
///          index from `pool::size()` on, and `per_worker` has an object for it. Inside of another
///          blocking() no further spare comes: still only one worker is missing.
/// Returns  What `f` returns.
/// Throws   What `f` throws.
/// Threads  Any. Outside of every pool it is a plain call.
/// Cost     A lock; the first time a new thread.
///
///     auto text = filch::blocking([&] { return read_file(path); });
template <std::invocable F>
decltype(auto) blocking(F&& f) {
  const detail::while_blocked here;
  return std::invoke(std::forward<F>(f));
}

}  // namespace filch
