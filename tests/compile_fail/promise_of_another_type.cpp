// error: promise::set_value\(value\): value must convert to the type of the promise without a cast
#include <memory>

#include "filch/promise.hpp"

// A std::unique_ptr would delete the object.
[[maybe_unused]] static void misuse(filch::promise<std::unique_ptr<int>>& p, int* object) {
  p.set_value(std::unique_ptr<int>(object));
#ifdef FILCH_MISUSE
  p.set_value(object);
#endif
}
