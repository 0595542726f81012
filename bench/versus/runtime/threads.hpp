// Static threads: each gets its share before it starts, and nothing is moved afterwards.
#pragma once

#include <string>
#include <thread>
#include <vector>

namespace bench {

class on_threads {
 public:
  static const char* name() { return "threads"; }
  static std::string version() { return "-"; }
  explicit on_threads(int workers) : workers_(workers) {}

  /// Calls `share(i)` on thread i, for as many threads as there are workers. The caller is number
  /// 0.
  template <class Share>
  void each(Share share) {
    std::vector<std::jthread> others;
    for (int i = 1; i < workers_; ++i) others.emplace_back([&share, i] { share(i); });
    share(0);
  }
  template <class F>
  auto run(F f) {
    return f();
  }
  int workers() const { return workers_; }

 private:
  int workers_;
};

}  // namespace bench
