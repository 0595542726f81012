// What a loop does rarely: it notices a stop request, or ends early.
#include "filch/detail/split/loop_state.hpp"

#include "filch/errors.hpp"

namespace filch::detail {

void loop_state::throw_cancelled() {
  throw cancelled(
      "filch: a loop was asked to stop by its options, and has skipped what had not started");
}

bool loop_state::stop_seen() noexcept {
  if (!options_.stop.stop_requested()) return false;
  stopped_.store(true, std::memory_order_relaxed);  // orders nothing: joins do
  end_.store(0, std::memory_order_relaxed);         // orders nothing: see class
  return true;
}

}  // namespace filch::detail
