// error: must be movable
#include <mutex>

#include "filch/pool.hpp"

// get() moves the result out of the future.
[[maybe_unused]] static void misuse(filch::pool& pool) {
#ifdef FILCH_MISUSE
  using result = std::mutex;
#else
  using result = std::unique_lock<std::mutex>;
#endif
  (void)pool.submit([] { return result(); });
}
