// What a loop does rarely: it notices a stop request, or ends early.
#include "filch/detail/loop/loop_state.hpp"

#include "filch/detail/base/early_end.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

void loop_state::throw_cancelled() const {
  if (!options_.stop.stop_requested())
    throw cancelled(
        "filch: the options::deadline of a loop passed, and it has skipped what had not started");
  throw cancelled(
      "filch: a loop was asked to stop by its options, and has skipped what had not started");
}

bool loop_state::stop_seen() noexcept {
  if (!is_to_end(options_)) return false;
  stopped_.store(true, std::memory_order_relaxed);  // orders nothing: joins do
  end_.store(0, std::memory_order_relaxed);         // orders nothing: see class
  return true;
}

}  // namespace filch::detail
