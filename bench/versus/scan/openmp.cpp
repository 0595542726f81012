#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

// NOLINTNEXTLINE(misc-unused-parameters): the pragma uses it
void scan_of(int workers, const int* from, int* to, int n) {
  int sum = 0;
#pragma omp parallel for num_threads(workers) reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    sum += from[i];
#pragma omp scan inclusive(sum)
    to[i] = sum;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using runtime = bench::outside<bench::on_openmp>;
  return bench::page<runtime>()
      .timed_on<scan::input>(scan::problem,
                             [](const runtime& openmp, scan::input& in) {
                               for (int p = 0; p < scan::passes; ++p)
                                 scan_of(openmp.workers(), in.numbers.data(), in.sums.data(),
                                         in.size());
                             })
      .run(argc, argv);
}
