// What the scheduler tells those who watch it. They lie above it, so it knows only these names:
// src/watch has the functions.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <cstdint>

#include "filch/detail/base/ticks.hpp"
#include "filch/detail/base/tracing.hpp"

namespace filch::detail {

class registry;
class worker;

// ---- always -------------------------------------------------------------------------------------

/// A pool is about to start its threads: the first one reads the environment. Never fails: what is
/// wrong there is a message.
void pool_starts(registry& home) noexcept;
/// Its threads have ended, or never started.
void pool_ends(registry& home) noexcept;
/// In the child of a fork, on its only thread: nothing that was being watched is watched here.
void forget_watchers() noexcept;

// ---- only while tracing_now() says so, on the thread that did it --------------------------------

/// `before` is what trace_job_ends() returned for the job that this one follows, with nothing but a
/// look into the own queues in between, or 0: it saves a reading of the clock. False if nothing was
/// recorded; then its end must not be, either.
[[nodiscard]] bool trace_job_begins(std::uint32_t session, const worker& who,
                                    ticks before) noexcept;
/// Returns when that was, or 0 if the trace has ended.
ticks trace_job_ends(std::uint32_t session) noexcept;
/// A thread from outside takes part, and then no more. It is busy in between, but where it is idle.
void trace_guest_comes(const worker& guest) noexcept;
void trace_guest_leaves(const worker& guest) noexcept;
/// A guest finds nothing to do, and then something, or what it waits for. The second also without
/// the first.
void trace_idle_begins(const worker& guest) noexcept;
void trace_idle_ends(const worker& guest) noexcept;
/// A worker has nothing to do: what it does next does not follow what it did before.
void trace_search() noexcept;
void trace_steal(const worker& thief, const worker& victim, std::size_t count) noexcept;
void trace_failed_steal(const worker& thief, bool lost) noexcept;
void trace_sleep_begins(const worker& who) noexcept;
void trace_sleep_ends(const worker& who) noexcept;
void trace_wake(const worker& sleeper) noexcept;
void trace_inject(std::size_t count) noexcept;

}  // namespace filch::detail
