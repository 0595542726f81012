#include "runtime/openmp.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .measured(idle_cpu::after_work,
                [](const bench::on_openmp& openmp, int milliseconds) {
                  const int workers = openmp.workers();
#pragma omp parallel for num_threads(workers)
                  for (int i = 0; i < idle_cpu::pieces; ++i) idle_cpu::piece();
                  return idle_cpu::used_in(milliseconds);
                })
      .run(argc, argv);
}
