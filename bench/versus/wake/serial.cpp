// A plain call: the time that reading the clock takes.
#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .measured(wake::from_idle,
                [](bench::on_serial&, int count) {
                  return wake::median(count, [](auto task) { task(); });
                })
      .run(argc, argv);
}
