// How long to look for work before sleeping.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "filch/detail/base/backoff.hpp"
#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/base/rng.hpp"

namespace filch::detail {

/// How long an idle worker looks before it sleeps, drawn anew for each spell: from half to one and
/// a half of what was asked for, so that workers that ran dry together do not lie down together.
class idle_spell {
 public:
  using clock = std::chrono::steady_clock;

  /// `spin` is cut to a day: what follows must not overflow.
  template <class Rep, class Period>
  idle_spell(rng& random, std::chrono::duration<Rep, Period> spin) noexcept
      : random_(random), pause_(random), spin_(std::min<decltype(spin)>(spin, day)) {}

  /// Waits a little. False when it is time to sleep.
  bool keep_looking() noexcept {
    if (rounds_++ == 0) {
      if (spin_.count() == 0) return false;
      end_ = clock::now() + draw();
    }
    pause_.pause();
    if (rounds_ % 8 != 0) return true;
    yield();  // perhaps whoever has work for us has no core
    return clock::now() < end_;
  }

  /// How long this spell may last.
  std::chrono::nanoseconds draw() noexcept {
    return spin_ / 2 + spin_ * static_cast<std::int64_t>(random_.bounded(1024)) / 1024;
  }

  /// The next look is the first of a new spell.
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
