// Hooks by which the scheduler notifies the layer that observes it. That layer lies above the
// scheduler, so the scheduler knows only these declarations; src/observe has the functions.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "filch/detail/base/thread_usage.hpp"
#include "filch/detail/base/ticks.hpp"
#include "filch/detail/base/tracing.hpp"

namespace filch::detail {

class registry;
class worker;

// ---- always -------------------------------------------------------------------------------------

/// A pool is about to start its threads. The first pool reads the environment. It never fails: a
/// wrong value there becomes a message.
void pool_starts(registry& home) noexcept;
/// Its threads have ended, or never started.
void pool_ends(registry& home) noexcept;
/// In the child of a fork, on its only thread: ends all observations that the parent had begun.
void forget_observers() noexcept;
/// The name of the innermost span that the thread is in. Empty if it is in none, or if spans were
/// not observed when it began: they are while a trace runs, and with FILCH_WATCHDOG. Any thread.
/// Throws `std::bad_alloc`.
std::string innermost_span(thread_mark thread);

// ---- only while tracing_now() says so, on the thread that did it --------------------------------

/// `before` saves a reading of the clock. It is what trace_job_ends() returned for the job before
/// this one, if the thread did nothing in between but look into its own queues; else 0. False if
/// nothing was recorded; then the end of the job must not be recorded, either.
[[nodiscard]] bool trace_job_begins(std::uint32_t session, const worker& who,
                                    ticks before) noexcept;
/// Returns the time at which the job ended, or 0 if the trace has ended.
ticks trace_job_ends(std::uint32_t session) noexcept;
/// An outside thread begins to take part; it takes part no more. In between it counts as busy,
/// except where it is idle.
void trace_guest_comes(const worker& guest) noexcept;
void trace_guest_leaves(const worker& guest) noexcept;
/// A guest finds nothing to do; it finds a job again, or its wait is over. The second may come
/// without the first.
void trace_idle_begins(const worker& guest) noexcept;
void trace_idle_ends(const worker& guest) noexcept;
/// A worker has nothing to do: its next job does not directly follow the job before.
void trace_search() noexcept;
void trace_steal(const worker& thief, const worker& victim, std::size_t count) noexcept;
void trace_failed_steal(const worker& thief, bool lost) noexcept;
void trace_sleep_begins(const worker& who) noexcept;
void trace_sleep_ends(const worker& who) noexcept;
void trace_wake(const worker& sleeper) noexcept;
void trace_inject(std::size_t count) noexcept;

}  // namespace filch::detail
