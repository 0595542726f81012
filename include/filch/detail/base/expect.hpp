// Which way a branch usually goes, said about a value.
#pragma once

namespace filch::detail {

// The attributes [[likely]] and [[unlikely]] mark a place in the code, and g++ concludes from a
// marked place that everything on the way to it is likely too: also the branches of the user's
// function that join was inlined into. These speak of one condition only.

/// `condition`, which is nearly always true.
[[gnu::always_inline]] inline bool usually(bool condition) noexcept {
  return __builtin_expect(static_cast<long>(condition), 1) != 0;
}

/// `condition`, which is nearly always false.
[[gnu::always_inline]] inline bool rarely(bool condition) noexcept {
  return __builtin_expect(static_cast<long>(condition), 0) != 0;
}

}  // namespace filch::detail
