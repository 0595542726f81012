// What a participant does, by its own word and by that of the system.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "filch/detail/sched/participant.hpp"
#include "filch/metrics.hpp"

namespace filch::detail {

class worker;

/// What the participant itself says.
worker_state state_of(activity a) noexcept;

/// What a look at a participant found.
struct participant_look {
  worker_status status;
  std::optional<std::uint64_t> cpu_ns;  ///< nothing if the system does not tell
  bool system_tells = true;  ///< false: it runs a job, and whether that waits is not known
};

/// Looks at `w`, whose pool is not inherited, at the time `now`. Any thread.
participant_look look_at(const worker& w, std::chrono::steady_clock::time_point now) noexcept;

}  // namespace filch::detail
