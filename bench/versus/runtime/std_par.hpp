// The algorithms of the standard library with std::execution::par. In libstdc++ they use oneTBB, so
// the number of workers is limited as for oneTBB.
#pragma once

#include <string>
#include <version>

#include "runtime/onetbb.hpp"

namespace bench {

class on_std_par : public on_onetbb {
 public:
  static const char* name() { return "std_par"; }
#ifdef _GLIBCXX_RELEASE
  static std::string version() { return std::to_string(_GLIBCXX_RELEASE); }
#else
  static std::string version() { return "-"; }
#endif
  using on_onetbb::on_onetbb;
};

}  // namespace bench
