// The arithmetic of load samples, separate from taking them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "filch/load_monitor.hpp"

namespace filch::detail {

/// Computes the other members from `workers`, `injected` and `elsewhere`.
inline void summarise(seen_load& s) noexcept {
  s.running = s.idle = s.sleeping = s.blocked = 0;
  s.max = s.min = 0;
  s.avg = s.deviation = 0;
  s.imbalance = 1;
  std::size_t sum = 0;
  for (const worker_load& w : s.workers) {
    s.running += w.state == worker_state::running ? 1 : 0;
    s.idle += w.state == worker_state::idle || w.state == worker_state::awaiting_seat ? 1 : 0;
    s.sleeping += w.state == worker_state::sleeping ? 1 : 0;
    s.blocked += w.state == worker_state::blocked ? 1 : 0;
    s.max = std::max(s.max, w.queue());
    sum += w.queue();
  }
  s.backlog = sum + s.injected + s.elsewhere;
  if (s.workers.empty()) return;
  s.min = s.max;
  const auto count = static_cast<double>(s.workers.size());
  s.avg = static_cast<double>(sum) / count;
  double squares = 0;
  for (const worker_load& w : s.workers) {
    s.min = std::min(s.min, w.queue());
    const double off = static_cast<double>(w.queue()) - s.avg;
    squares += off * off;
  }
  s.deviation = std::sqrt(squares / count);
  if (sum != 0) s.imbalance = static_cast<double>(s.max) / s.avg;
}

/// Waiting jobs for each worker.
inline double overload_of(const seen_load& s) noexcept {
  return s.workers.empty() ? 0
                           : static_cast<double>(s.backlog) / static_cast<double>(s.workers.size());
}

/// The fraction of the workers that have nothing to do while another one has. If none has work,
/// there is nothing to share. The result is then below every threshold, 0 included.
inline double starvation_of(const seen_load& s) noexcept {
  if (s.workers.empty() || s.running == 0) return -1;
  return static_cast<double>(s.idle + s.sleeping) / static_cast<double>(s.workers.size());
}

/// A threshold with hysteresis: a value that varies around it crosses it once.
class threshold {
 public:
  threshold(double at, double over) noexcept : at_(at), over_(over) {}

  /// True if `value` has just crossed it. It can be crossed again once a value was `over` or below.
  bool crossed_by(double value) noexcept {
    // `value < at_` matters if the two limits are equal: without it a constant value would cross
    // every time.
    if (crossed_ && value <= over_ && value < at_) crossed_ = false;
    if (crossed_ || !(value >= at_)) return false;
    crossed_ = true;
    return true;
  }

 private:
  double at_;
  double over_;
  bool crossed_ = false;
};

}  // namespace filch::detail
