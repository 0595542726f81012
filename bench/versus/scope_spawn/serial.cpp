// Calls the tasks through a pointer, as a runtime would.
#include "runtime/serial.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return scope_spawn::page_of<bench::on_serial>([](bench::on_serial&, int n, const auto& task) {
           std::function<void()> call = task;
           for (int i = 0; i < n; ++i) {
             bench::touch(call);
             call();
           }
         })
      .run(argc, argv);
}
