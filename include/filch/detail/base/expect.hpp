// Which value a condition usually has.
#pragma once

namespace filch::detail {

// The attributes [[likely]] and [[unlikely]] mark a point in the code. g++ concludes that every
// branch on the way to that point is likely too, also in the user's function that join was inlined
// into. These functions speak of one condition only.

/// `condition`, which is nearly always true.
[[gnu::always_inline]] inline bool usually(bool condition) noexcept {
  return __builtin_expect(static_cast<long>(condition), 1) != 0;
}

/// `condition`, which is nearly always false.
[[gnu::always_inline]] inline bool rarely(bool condition) noexcept {
  return __builtin_expect(static_cast<long>(condition), 0) != 0;
}

}  // namespace filch::detail
