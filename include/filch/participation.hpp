// participation: an outside thread that takes part in a pool for longer than one call.
#pragma once

#include "filch/detail/base/config.hpp"

#include <optional>

#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/guest_stay.hpp"

namespace filch {

class pool;

/// Keeps the calling thread, which is outside of every pool, a guest of a pool for as long as this
/// lives. A thread is a guest in each of its joins, loops and waits for scopes anyway. This saves
/// it from coming and going, and gives it one slot (`this_worker::slot()`) for several calls.
///
/// How      All calls of the thread count as one call: while it waits in one of them, it may run
///          jobs of another. It holds a seat while it does not sleep in filch or in
///          blocking(), so a worker stands aside for it meanwhile. FILCH_WATCHDOG reports it if it
///          is stuck in a call that waits or has work left to share, but not between its calls.
/// Careful  A thread that polls future::ready(), or sleeps without filch, keeps its seat. On a pool
///          of one worker no submitted task runs meanwhile: wait with filch, or in blocking(). No
///          thread may have a participation in the default pool when the program ends, because the
///          exit handler waits for that thread. If that thread itself calls exit(), the handler
///          cannot wait for it, and does not wait for tasks either. The thread is one of the pool:
///          `queue_limit` never makes it wait, and close() does not refuse its tasks.
/// Throws   `usage_error` if the calling thread takes part in another pool, or a parent process
///          made the pool. If the thread takes part in this pool already, or the pool has stopped
///          or has no slot any more (`pool_options::max_guests`), it does nothing.
/// Threads  Made and destroyed by the same thread. The pool outlives it. In a child that fork()
///          made, the thread does not take part any more, and the destructor does nothing.
/// Cost     One allocation, and what a guest costs once: some hundred nanoseconds.
///
///     filch::participation here(pool);
///     for (auto& step : steps) filch::parallel_for(0, n, step);
class participation {
 public:
  explicit participation(pool& in) {
    begin(in);
    detail::msan_written(stay_);
  }
  participation(const participation&) = delete;
  participation& operator=(const participation&) = delete;

 private:
  void begin(pool& in);

  std::optional<detail::guest_stay> stay_;
};

}  // namespace filch
