#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

long fib_of(int n) {
  if (n < 2) return n;
  long x = 0;
  long y = 0;
#pragma omp task shared(y) firstprivate(n)
  y = fib_of(n - 2);
  x = fib_of(n - 1);
#pragma omp taskwait
  return x + y;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .timed(fib::in_order.at_most(34), fib::answer, fib_of)
      .run(argc, argv);
}
