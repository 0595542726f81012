// error: deleted.*future
#include "filch/future.hpp"

// A result is taken once, by one holder.
[[maybe_unused]] static void misuse([[maybe_unused]] filch::future<int>& future) {
#ifdef FILCH_MISUSE
  auto copy = future;
#endif
}
