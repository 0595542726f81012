#include "runtime/openmp.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  const auto run = [](const bench::on_openmp& openmp, auto& in) {
    const int workers = openmp.workers();
    for (int l = 0; l < in.loops; ++l) {
#pragma omp parallel for num_threads(workers) schedule(static)
      for (int i = 0; i < phases::items; ++i) in.run(l, i);
    }
  };
  return phases::page_of<bench::outside<bench::on_openmp>>(run).run(argc, argv);
}
