// fork(): what the child forgets, and what it leaves alone. src/sched/fork.md has the rules.
#pragma once

namespace filch::detail {

/// Makes sure that a child of fork() notices that it is one. Every pool calls this before it starts
/// a thread.
/// Throws `std::bad_alloc`.
void register_atfork();

/// A task or join that began before the fork goes on in the child: aborts with a message.
[[noreturn, gnu::cold, gnu::noinline]] void went_on_after_fork() noexcept;

// ---- what the child's only thread calls before fork() returns ----------------------------------

/// The next use of the default pool makes a new one, with the settings of the old one.
void forget_default_pool() noexcept;

/// The list of live pools becomes empty, and its lock new: another thread may have held it.
void forget_pools() noexcept;

/// The unused parkers are left alone, and their lock is new: another thread may have held it.
void forget_parkers() noexcept;

/// There are no timers, and no thread waits for any. Their lock is new.
void forget_timers() noexcept;

}  // namespace filch::detail
