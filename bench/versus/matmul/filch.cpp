#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

void multiply(const matmul::product& p) {
  if (p.small()) return p.compute();
  for (int phase = 0; phase < 2; ++phase)
    filch::join(
        [&, phase] { multiply(p.part(phase, 0)); }, [&, phase] { multiply(p.part(phase, 1)); },
        [&, phase] { multiply(p.part(phase, 2)); }, [&, phase] { multiply(p.part(phase, 3)); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<matmul::matrices>(matmul::by_quadrants,
                                  [](matmul::matrices& m) { multiply(m.whole()); })
      .run(argc, argv);
}
