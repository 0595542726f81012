// error: detach\(f\): f must be movable, and callable without arguments
#include "filch/pool.hpp"

// There is no argument to pass.
[[maybe_unused]] static void misuse(filch::pool& pool) {
  pool.detach([] {});
#ifdef FILCH_MISUSE
  pool.detach([](int) {});
#endif
}
