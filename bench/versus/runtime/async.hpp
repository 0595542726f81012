// std::async with std::launch::async: in libstdc++ a new thread for every call, and no pool. So it
// gets few and large pieces, or fewer of the small ones.
#pragma once

#include <string>

namespace bench {

class on_async {
 public:
  static const char* name() { return "async"; }
  static std::string version() { return "-"; }
  explicit on_async(int workers) : workers_(workers) {}

  template <class F>
  auto run(F f) {
    return f();
  }
  int workers() const { return workers_; }

 private:
  int workers_;
};

}  // namespace bench
