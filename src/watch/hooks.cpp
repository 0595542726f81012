// Called when pools start and end.
#include "filch/detail/sched/observe.hpp"
#include "filch/detail/watch/environment.hpp"
#include "filch/detail/watch/recording.hpp"

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

void forget_watchers() noexcept {
  forget_recording();
  forget_live();
  forget_environment();
}

}  // namespace filch::detail
