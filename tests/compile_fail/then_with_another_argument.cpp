// error: then\(f\): f must be movable, and callable with the result of the task
#include <string>

#include "filch/future.hpp"

// The task gives something else.
[[maybe_unused]] static void misuse(filch::future<int>& f) {
  (void)f.then([](long) {});
#ifdef FILCH_MISUSE
  (void)f.then([](const std::string&) {});
#endif
}
