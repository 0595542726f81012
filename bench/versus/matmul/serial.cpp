#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

void multiply(const matmul::product& p) {
  if (p.small()) return p.compute();
  for (int phase = 0; phase < 2; ++phase)
    for (int q = 0; q < 4; ++q) multiply(p.part(phase, q));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<matmul::matrices>(matmul::by_quadrants,
                                  [](matmul::matrices& m) { multiply(m.whole()); })
      .run(argc, argv);
}
