#include "runtime/filch.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .measured(wake::from_idle,
                [](bench::on_filch& filch, int count) {
                  return wake::median(count, [&](auto task) { filch.pool().detach(task); });
                })
      .run(argc, argv);
}
