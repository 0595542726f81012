// error: then\(f\): f must be callable with what the task returns
#include <string>

#include "filch/future.hpp"

// The task gives something else.
[[maybe_unused]] static void misuse(filch::future<int>& f) {
  (void)f.then([](long) {});
#ifdef FILCH_MISUSE
  (void)f.then([](const std::string&) {});
#endif
}
