#include "filch/detail/sched/participant_state.hpp"

#include <algorithm>

#include "filch/detail/base/thread_usage.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

worker_state state_of(activity a) noexcept {
  switch (a) {
    case activity::running:
      return worker_state::running;
    case activity::searching:
      return worker_state::idle;
    case activity::awaiting_seat:
      return worker_state::awaiting_seat;
    case activity::sleeping:
      return worker_state::sleeping;
    case activity::blocked:
      return worker_state::blocked;
    case activity::absent:
      break;
  }
  return worker_state::absent;
}

participant_look look_at(const worker& w, std::chrono::steady_clock::time_point now) noexcept {
  participant_look seen;
  seen.status.state = state_of(w.state.doing());
  if (seen.status.state == worker_state::absent) return seen;
  const thread_mark thread = w.thread.mark();
  seen.status.waits = w.loop.waits();
  seen.cpu_ns = processor_time(thread);
  if (seen.cpu_ns) {
    const std::chrono::nanoseconds still = now - w.thread.still_since(*seen.cpu_ns, now);
    // Negative if another thread looked after `now`.
    seen.status.still_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(still.count(), 0));
  }
  if (seen.status.state != worker_state::running) return seen;
  if (seen.status.waits != 0) seen.status.state = worker_state::helping;
  const kernel_state kernel = kernel_state_of(thread);
  seen.system_tells = kernel != kernel_state::unknown;
  if (kernel != kernel_state::asleep) return seen;
  // It may have run out of work since the first look, and sleep for that reason.
  const activity doing = w.state.doing();
  seen.status.state = doing == activity::running ? worker_state::waiting : state_of(doing);
  return seen;
}

}  // namespace filch::detail
