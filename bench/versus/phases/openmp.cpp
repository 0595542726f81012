#include "runtime/openmp.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  using runtime = bench::outside<bench::on_openmp>;
  return bench::page<runtime>()
      .timed_on<phases::input>(phases::problem,
                               [](const runtime& openmp, phases::input& in) {
                                 const int workers = openmp.workers();
                                 for (int l = 0; l < in.loops; ++l) {
#pragma omp parallel for num_threads(workers) schedule(static)
                                   for (int i = 0; i < phases::items; ++i) in.run(l, i);
                                 }
                               })
      .run(argc, argv);
}
