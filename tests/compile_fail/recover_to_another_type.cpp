// error: recover\(f\): f must be movable, and make a result of the same type as the task
#include <exception>
#include <string>

#include "filch/future.hpp"

// The task gives something else.
[[maybe_unused]] static void misuse(filch::future<int>& f) {
  (void)f.recover([](const std::exception_ptr&) { return 0; });
#ifdef FILCH_MISUSE
  (void)f.recover([](const std::exception_ptr&) { return std::string(); });
#endif
}
