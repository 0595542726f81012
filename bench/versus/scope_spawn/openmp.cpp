#include "runtime/openmp.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .measured(scope_spawn::empty,
                [](bench::on_openmp& openmp, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    openmp.run([&] {
                      for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(task)
                        task();
                      }
#pragma omp taskwait
                    });
                  });
                })
      .run(argc, argv);
}
