// A programmer who knows that items are expensive and differ uses schedule(dynamic), which deals
// them one by one.
#include "runtime/openmp.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  using runtime = bench::outside<bench::on_openmp>;
  return imbalance::page_of<runtime>([](const runtime& openmp, auto& in) {
           const int workers = openmp.workers();
#pragma omp parallel for num_threads(workers) schedule(dynamic)
           for (int i = 0; i < in.items; ++i) in.run(i);
         })
      .run(argc, argv);
}
