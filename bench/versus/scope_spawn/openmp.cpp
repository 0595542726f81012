#include "runtime/openmp.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return scope_spawn::page_of<bench::on_openmp>([](bench::on_openmp&, int n, const auto& task) {
           for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(task)
             task();
           }
#pragma omp taskwait
         })
      .run(argc, argv);
}
