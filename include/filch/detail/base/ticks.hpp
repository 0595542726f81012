// A clock that is read every few microseconds: cheap, and good for comparing only.
#pragma once

#include <chrono>
#include <cstdint>

namespace filch::detail {

/// Time in units of its own: the processor's where that is cheap to read, else nanoseconds. Two
/// processors may disagree a little.
using ticks = std::uint64_t;

inline ticks ticks_now() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

}  // namespace filch::detail
