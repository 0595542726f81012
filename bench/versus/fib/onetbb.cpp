#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_invoke.h>

#include "problem.hpp"

namespace {

long fib_of(int n) {
  if (n < 2) return n;
  long x = 0;
  long y = 0;
  tbb::parallel_invoke([&] { x = fib_of(n - 1); }, [&] { y = fib_of(n - 2); });
  return x + y;
}

long fib_swapped(int n) {
  if (n < 2) return n;
  long x = 0;
  long y = 0;
  tbb::parallel_invoke([&] { x = fib_swapped(n - 2); }, [&] { y = fib_swapped(n - 1); });
  return x + y;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed(fib::in_order, fib::answer, fib_of)
      .timed(fib::swapped, fib::answer, fib_swapped)
      .run(argc, argv);
}
