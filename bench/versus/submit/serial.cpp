// Calls the tasks through a pointer, as a runtime would.
#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .measured(submit::empty,
                [](bench::on_serial&, int count) {
                  return bench::seconds_for_tasks(count, [](int n, const auto& task) {
                    std::function<void()> call = task;
                    for (int i = 0; i < n; ++i) {
                      bench::touch(call);
                      call();
                    }
                  });
                })
      .run(argc, argv);
}
