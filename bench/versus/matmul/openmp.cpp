#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

void multiply(const matmul::product& p) {
  if (p.small()) return p.compute();
  for (int phase = 0; phase < 2; ++phase) {
    for (int q = 0; q < 4; ++q) {
#pragma omp task shared(p) firstprivate(phase, q)
      multiply(p.part(phase, q));
    }
#pragma omp taskwait
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .timed_on<matmul::matrices>(matmul::by_quadrants,
                                  [](matmul::matrices& m) { multiply(m.whole()); })
      .run(argc, argv);
}
