#include "runtime/filch.hpp"

#include "filch/scope.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .measured(idle_cpu::after_work,
                [](bench::on_filch& filch, int milliseconds) {
                  filch.run([] {
                    filch::scope s;
                    for (int i = 0; i < idle_cpu::pieces; ++i) s.spawn(idle_cpu::piece);
                    s.wait();
                  });
                  return idle_cpu::used_in(milliseconds);
                })
      .run(argc, argv);
}
