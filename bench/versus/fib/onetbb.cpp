#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>

#include "harness.hpp"
#include "problem.hpp"

namespace {

long fib_of(int n) {
  if (n < 2) return n;
  long x = 0;
  long y = 0;
  tbb::parallel_invoke([&] { x = fib_of(n - 1); }, [&] { y = fib_of(n - 2); });
  return x + y;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(o.workers));
  tbb::task_arena arena(o.workers);
  return bench::run(
      "fib", "onetbb", o,
      [&] { return arena.execute([] { return fib_of(bench::opaque(fib::n)); }); }, fib::expected);
}
