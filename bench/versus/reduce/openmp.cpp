#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

// NOLINTNEXTLINE(misc-unused-parameters): the pragma uses it
double sum_of(int workers, const double* numbers, int n) {
  double sum = 0;
#pragma omp parallel for simd num_threads(workers) schedule(static) reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += numbers[i];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  using runtime = bench::outside<bench::on_openmp>;
  return bench::page<runtime>()
      .timed_on<reduce::input>(reduce::problem,
                               [](const runtime& openmp, reduce::input& in) {
                                 for (int p = 0; p < reduce::passes; ++p)
                                   in.sum += sum_of(openmp.workers(), in.numbers.data(), in.size());
                               })
      .run(argc, argv);
}
