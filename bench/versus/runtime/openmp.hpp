// OpenMP, with the runtime that comes with the compiler. The thread that calls run() is one of the
// team.
#pragma once

#include <string>
#include <type_traits>

namespace bench {

class on_openmp {
 public:
#ifdef __clang__
  static const char* name() { return "libomp"; }
  static std::string version() { return std::to_string(__clang_major__); }
#else
  static const char* name() { return "libgomp"; }
  static std::string version() { return std::to_string(__GNUC__); }
#endif
  explicit on_openmp(int workers) : workers_(workers) {}

  /// Calls `f` on one thread of the team; the others run the tasks that it makes.
  template <class F>
  auto run(F f) {
    using result = decltype(f());
    if constexpr (std::is_void_v<result>) {
#pragma omp parallel num_threads(workers_)
#pragma omp single
      f();
    } else {
      result r{};
#pragma omp parallel num_threads(workers_)
#pragma omp single
      r = f();
      return r;
    }
  }
  int workers() const { return workers_; }

 private:
  int workers_;
};

}  // namespace bench
