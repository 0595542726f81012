#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

// NOLINTNEXTLINE(misc-unused-parameters): the pragma uses it
void pass(int workers, float a, const float* x, float* y, int n) {
#pragma omp parallel for simd num_threads(workers) schedule(static)
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

}  // namespace

int main(int argc, char** argv) {
  using runtime = bench::outside<bench::on_openmp>;
  return bench::page<runtime>()
      .timed_on<axpy::input>(axpy::problem,
                             [](const runtime& openmp, axpy::input& in) {
                               for (int p = 0; p < axpy::passes; ++p)
                                 pass(openmp.workers(), in.a, in.x.data(), in.y.data(),
                                      in.floats());
                             })
      .run(argc, argv);
}
