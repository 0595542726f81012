// error: (does not match|specified in) declaration order
#include <vector>

#include "filch/algorithm.hpp"
#include "filch/pool.hpp"

// The order of the members is that of designated initialisers. clang++ only warns.
#ifdef __clang__
#pragma clang diagnostic error "-Wreorder-init-list"
#endif
[[maybe_unused]] static void misuse(filch::pool& pool, std::vector<int>& numbers) {
#ifdef FILCH_MISUSE
  filch::for_each(numbers, [](int) {}, {.on = &pool, .grain = 3});
#else
  filch::for_each(numbers, [](int) {}, {.grain = 3, .on = &pool});
#endif
}
