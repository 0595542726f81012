// What a loop does rarely: it notices a stop request, or ends early.
#include "filch/detail/loop/loop_state.hpp"

#include "filch/detail/base/early_end.hpp"

namespace filch::detail {

void loop_state::throw_cancelled() const { detail::throw_cancelled(options_, "a loop"); }

bool loop_state::stop_seen() noexcept {
  if (!is_to_end(options_)) return false;
  stopped_.store(true, std::memory_order_relaxed);  // orders nothing: joins do
  end_.store(0, std::memory_order_relaxed);         // orders nothing: see class
  return true;
}

}  // namespace filch::detail
