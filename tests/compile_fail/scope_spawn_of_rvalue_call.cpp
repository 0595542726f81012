// error: spawn\(f\): f must be movable, and callable without arguments, as an lvalue
#include "filch/scope.hpp"

// A task is called where it lies, not as an rvalue.
struct [[maybe_unused]] task {
#ifdef FILCH_MISUSE
  void operator()() && {}
#else
  void operator()() {}
#endif
};
[[maybe_unused]] static void misuse(filch::scope& scope) { scope.spawn(task{}); }
