// isolate: a wait that runs only jobs of its own. blocking: a wait during which a spare stands in.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <functional>
#include <utility>

#include "filch/detail/sched/isolation.hpp"

namespace filch {

/// Calls `f`. While `f` waits (in join, scope::wait, future::get, ...), its thread runs only jobs
/// that `f` spawned, directly or not.
///
/// How      A thread that waits runs other jobs meanwhile. If `f` holds a lock, or anything else
///          that must not be entered twice, such a job could want the same lock on the same thread,
///          and hang.
///          Jobs that `f` spawns belong to the region of this call, wherever they run: a thief that
///          waits in one of them runs only jobs of that region too. Regions nest: inside an inner
///          isolate(), a wait runs only jobs of the inner region. If `f` spawns a task into a scope
///          from outside, and the task has not run when `f` returns, the task leaves the inner
///          region.
///          When there is no such job, the thread sleeps. Then a spare stands in for a worker, as
///          in blocking(). So the rest of the pool goes on, and so does work that `f` put outside
///          of its region by a priority, install() or schedule(). When `pool_options::max_spares`
///          spares stand in, the next worker that sleeps gets none. If no other worker is free
///          then, a wait in the region for a job outside of it never ends.
///          On a thread outside of every pool, the joins, loops and scopes that `f` calls are one
///          region. The thread takes part as a guest, and may hold a lock meanwhile.
/// Careful  A loop that polls for something outside of the region, such as
///          `while (!f.wait_for(0s))`, lets other jobs run only while it sleeps briefly and a
///          spare stands in. Without a spare it never ends. get(), or a wait with a longer time, is
///          quicker and cheaper.
/// Returns  What `f` returns.
/// Throws   What `f` throws.
/// Threads  Any.
/// Cost     Some tens of nanoseconds. Inside, a join costs some nanoseconds more.
///
///     std::scoped_lock lock(mutex);  // in a task
///     filch::isolate([&] { filch::join(a, b); });  // runs no other job that wants the mutex
template <std::invocable F>
decltype(auto) isolate(F&& f) {
  const detail::in_region here(detail::new_region());
  return std::invoke(std::forward<F>(f));
}

/// Calls `f`, which blocks: on a file, a socket, another process. Meanwhile a spare does the work
/// of this worker, so that the pool keeps its strength.
///
/// How      A pool starts spares when they are needed, at most `pool_options::max_spares`, and
///          keeps them. While no worker is blocked they sleep. Beyond that number `f` blocks
///          without a spare. A spare has an index from `pool::size()` on, and `per_worker` has an
///          object for it. A nested blocking() starts no further spare, because still only one
///          worker is missing.
/// Returns  What `f` returns.
/// Throws   What `f` throws.
/// Threads  Any. No spare stands in for a guest: it leaves its seat to a worker meanwhile. On a
///          thread that does not take part in a pool it is a plain call.
/// Cost     A lock; the first time, a new thread.
///
///     auto text = filch::blocking([&] { return read_file(path); });
template <std::invocable F>
decltype(auto) blocking(F&& f) {
  const detail::while_blocked here;
  return std::invoke(std::forward<F>(f));
}

}  // namespace filch
