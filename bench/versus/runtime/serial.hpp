// No runtime: the code that the others divide. The number of workers is ignored.
#pragma once

#include <string>

namespace bench {

class on_serial {
 public:
  static const char* name() { return "serial"; }
  static std::string version() { return "-"; }
  explicit on_serial(int /*workers*/) {}

  template <class F>
  auto run(F f) {
    return f();
  }
};

}  // namespace bench
