// Called when pools start and end.
#include "filch/detail/observe/environment.hpp"
#include "filch/detail/observe/recording.hpp"
#include "filch/detail/observe/watchdog.hpp"
#include "filch/detail/sched/observe.hpp"

namespace filch::detail {

void pool_starts(registry& home) noexcept {
  heed_environment();
  recording_pool_starts(home);
  tell_live();
}

void pool_ends(registry& home) noexcept {
  recording_pool_ends(home);
  live_pool_ends(home);
}

void forget_observers() noexcept {
  forget_recording();
  forget_live();
  forget_watchdog();
  forget_environment();
}

}  // namespace filch::detail
