// fork(): what the child forgets, and what it leaves alone.
#pragma once

namespace filch::detail {

/// Makes sure that a child notices that it is one. Every pool calls it before it starts a thread.
/// Throws `std::bad_alloc`.
void care_for_forks();

/// Something that began before the fork goes on in the child: aborts with a message.
[[noreturn, gnu::cold, gnu::noinline]] void went_on_after_fork() noexcept;

// ---- what the child's only thread calls before fork() returns ----------------------------------

/// The next use of the default pool makes a new one, with the settings of the old.
void forget_default_pool() noexcept;

/// Pools of the parent are not among those of the child; their list may have been locked.
void forget_pools() noexcept;

/// Beds that nobody used stay behind; their lock may have been held.
void forget_parkers() noexcept;

}  // namespace filch::detail
