// How long to look for work before sleeping.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "filch/detail/base/backoff.hpp"
#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/base/rng.hpp"

namespace filch::detail {

/// How long an idle worker searches before it sleeps. The time is drawn anew for each spell, from
/// half to one and a half times the time asked for, so that workers that ran out of work together
/// do not go to sleep together.
class idle_spell {
 public:
  using clock = std::chrono::steady_clock;

  /// `spin` is cut to a day, so that the sums here cannot overflow. `pauses` lie between two
  /// searches.
  template <class Rep, class Period>
  idle_spell(rng& random, std::chrono::duration<Rep, Period> spin,
             backoff_params pauses = {}) noexcept
      : random_(random), pause_(random, pauses), spin_(std::min<decltype(spin)>(spin, day)) {}

  /// For a pool whose work must start soon: pauses of at most half a microsecond or so, although
  /// every search takes a cache line from another participant.
  static constexpr backoff_params short_pauses{.first = 4, .cap = 16};

  /// Pauses, and ends the pause early if `over` says so. `over` is called often, and must disturb
  /// no other thread. False when it is time to sleep.
  template <class Over>
  bool keep_looking(Over over) noexcept {
    if (rounds_++ == 0) {
      if (spin_.count() == 0) return false;
      end_ = clock::now() + draw();
    }
    pause_.pause(over);
    if (rounds_ % 8 != 0) return true;
    yield();  // perhaps a thread that is about to publish work has no core
    return clock::now() < end_;
  }

  /// How long this spell may last.
  std::chrono::nanoseconds draw() noexcept {
    return spin_ / 2 + spin_ * static_cast<std::int64_t>(random_.bounded(1024)) / 1024;
  }

  /// The next search is the first of a new spell.
  void restart() noexcept {
    rounds_ = 0;
    pause_.reset();
  }

 private:
  static constexpr std::chrono::hours day{24};

  rng& random_;
  backoff pause_;
  std::chrono::nanoseconds spin_;
  clock::time_point end_{};
  std::uint32_t rounds_ = 0;
};

}  // namespace filch::detail
