// error: constraint|no matching
#include "filch/pool.hpp"

// Nobody would know what to pass.
[[maybe_unused]] static void misuse(filch::pool& pool) {
  pool.detach([] {});
#ifdef FILCH_MISUSE
  pool.detach([](int) {});
#endif
}
