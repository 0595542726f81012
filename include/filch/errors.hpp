// What filch throws for reasons of its own. Exceptions of tasks arrive as the task threw them.
//
//   pool_closed   the pool takes no more work       expected at shutdown: drop or redirect the work
//   cancelled     the work was given up on request  expected by whoever cancelled: clean up
//   usage_error   a call that cannot be right       a bug or bad setting: read what(), fix it
//
// Every message names the value that was refused, and what would have been accepted.
#pragma once

#include "filch/detail/base/config.hpp"

#include <stdexcept>

namespace filch {

// Always visible: a program compiled with -fvisibility=hidden must catch what a shared libfilch
// throws, also where the C++ library compares types by address.

/// Thrown by submissions to a pool from outside it, once close() was called or the destructor has
/// begun. Nothing was submitted: the task has not run and will not. Work that must not be lost is
/// done by the caller, or given to another pool. A pool's own tasks may go on submitting until the
/// pool is empty, and never meet this.
struct [[gnu::visibility("default")]] pool_closed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown in place of a result that nobody will compute any more, because its computation was
/// cancelled. What ran before that has run, and its effects stay. Catch it where the cancelling was
/// decided; in between, let it pass like any other exception.
struct [[gnu::visibility("default")]] cancelled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown by a call that cannot be right, whatever the program's state: a setting out of its range,
/// a second get() on a future, waiting on a worker for that worker's own pool. Nothing has changed
/// then. It is a bug or a wrong setting (the environment counts as one), so trying again does not
/// help: read what().
struct [[gnu::visibility("default")]] usage_error : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace filch
