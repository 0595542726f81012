// error: must be movable
#include <mutex>

#include "filch/pool.hpp"

// The result is made on a worker and moved to the caller.
[[maybe_unused]] static void misuse(filch::pool& pool) {
#ifdef FILCH_MISUSE
  using result = std::mutex;
#else
  using result = std::unique_lock<std::mutex>;
#endif
  (void)pool.install([] { return result(); });
}
