// The function of a timer gets no argument.
#include <chrono>

#include "filch/timers.hpp"

[[maybe_unused]] static void misuse() {
  using namespace std::chrono_literals;
  (void)filch::submit_after(1s, [] {});
#if FILCH_MISUSE == 1  // error: submit_after\(time, f\): f must be movable, and callable
  (void)filch::submit_after(1s, [](int) {});
#elif FILCH_MISUSE == 2  // error: submit_every\(period, f\): f must be movable, and callable
  (void)filch::submit_every(1s, [](int) {});
#endif
}
