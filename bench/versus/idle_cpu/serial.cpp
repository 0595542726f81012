#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .measured(idle_cpu::after_work,
                [](bench::on_serial&, int milliseconds) {
                  for (int i = 0; i < idle_cpu::pieces; ++i) idle_cpu::piece();
                  return idle_cpu::used_in(milliseconds);
                })
      .run(argc, argv);
}
