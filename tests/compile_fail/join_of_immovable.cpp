// error: returns both results as a pair, so they must be movable
#include <mutex>

#include "filch/join.hpp"

// A pair is made of the results, so they must be movable.
[[maybe_unused]] static void misuse() {
#ifdef FILCH_MISUSE
  using result = std::mutex;
#else
  using result = std::unique_lock<std::mutex>;
#endif
  (void)filch::join([] { return result(); }, [] {});
}
