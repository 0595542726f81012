// error: when_any\(futures...\): all futures must have one type
#include <utility>

#include "filch/when.hpp"

// The result has one type.
[[maybe_unused]] static void misuse(filch::future<int>& f, filch::future<int>& g) {
  (void)filch::when_any(std::move(f), std::move(g));
#ifdef FILCH_MISUSE
  (void)filch::when_any(std::move(f), filch::future<long>());
#endif
}
