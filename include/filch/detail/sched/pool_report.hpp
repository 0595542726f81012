// What a pool says about itself.
#pragma once

#include <array>
#include <chrono>
#include <iosfwd>
#include <string>

#include "filch/metrics.hpp"

namespace filch::detail {

class registry;
class worker;

/// The name of a pool in messages: "pool 'render'", or "pool 'render' (number 2)" with its id(), if
/// there was another pool of the same name at the same time. Any thread. Throws `std::bad_alloc`.
std::string title(const registry& home);
/// The number alone, as " (number 2)", or nothing. Needs no memory.
std::array<char, 24> number_if_namesakes(const registry& home) noexcept;

/// What its participants have done so far. Any thread. Throws `std::bad_alloc`.
measured_pool measure(const registry& home);

/// The same for one participant, at the time `now`. It asks the system nothing: the processor time
/// is that of a thread that has ended. Any thread.
worker_metrics measure(const worker& w, std::chrono::steady_clock::time_point now) noexcept;

/// Is there work that has not ended: a task, or what participants do in the call of a guest, which
/// is no task? A thread that takes part between its calls has none there. Any thread. Throws
/// `std::bad_alloc`.
bool has_unfinished_work(const registry& home);

/// Prints what every participant is doing. Any thread.
void dump(const registry& home, std::ostream& out);

}  // namespace filch::detail
