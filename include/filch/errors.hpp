// The exceptions that filch itself throws. An exception of a task arrives as the task threw it.
//
//   pool_closed     the pool accepts no more tasks  expected at shutdown: drop or redirect the work
//   cancelled       the work was cancelled          expected by the code that cancelled: clean up
//   broken_promise  a promise was never set         a fault of the code that had the promise
//   usage_error     a call that cannot be right     a bug or bad setting: read what(), fix it
//
// Every message names the value that was refused, and what would have been accepted.
#pragma once

#include "filch/detail/base/config.hpp"

#include <stdexcept>

namespace filch {

// These types are always visible. A program compiled with -fvisibility=hidden must be able to catch
// what a shared libfilch throws, also where the C++ library compares types by address.

/// Thrown by a submission from outside a pool, after close() was called or the destructor has
/// begun. Nothing was submitted: the task has not run and will not run. If the work must not be
/// lost, the caller does it or gives it to another pool. A pool's own tasks may submit until the
/// pool is empty, and never get this exception, except if they submit for a later time. It is also
/// what the future of a task for a later time throws if the pool is closed before that time
/// (filch/timers.hpp).
struct [[gnu::visibility("default")]] pool_closed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown in place of a result that will not be computed, because its computation was cancelled.
/// The effects of what ran before that stay. Catch it in the code that decided to cancel; elsewhere
/// let it pass like any other exception.
struct [[gnu::visibility("default")]] cancelled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown by the future of a promise that was destroyed before it was set: its result never comes.
/// The cause is in the code that had the promise; it may have ended early, by an exception.
struct [[gnu::visibility("default")]] broken_promise : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown by a call that is wrong in every state of the program: a setting out of its range, a
/// second get() on a future, a worker that waits for its own pool. The call has changed nothing.
/// The cause is a bug or a wrong setting (environment variables included), so trying again does not
/// help: read what().
struct [[gnu::visibility("default")]] usage_error : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace filch
