// Rows of leaves are dealt in turn, without recursion, which static threads cannot divide.
#include "runtime/threads.hpp"

#include "problem.hpp"

namespace {

void multiply(bench::on_threads& threads, matmul::matrices& m) {
  const matmul::product p = m.whole();
  const int blocks = p.n / matmul::product::leaf;
  threads.each([&](int me) {
    for (int i = me; i < blocks; i += threads.workers())
      for (int k = 0; k < blocks; ++k)
        for (int j = 0; j < blocks; ++j) p.block(i, j, k).compute();
  });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_threads>()
      .timed_on<matmul::matrices>(matmul::by_quadrants, multiply)
      .run(argc, argv);
}
