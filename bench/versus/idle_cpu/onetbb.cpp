#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_for.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .measured(idle_cpu::after_work,
                [](bench::on_onetbb& onetbb, int milliseconds) {
                  onetbb.run([] {
                    tbb::parallel_for(0, idle_cpu::pieces, [](int) { idle_cpu::piece(); });
                  });
                  return idle_cpu::used_in(milliseconds);
                })
      .run(argc, argv);
}
