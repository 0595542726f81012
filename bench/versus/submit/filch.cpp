#include "runtime/filch.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .measured(submit::empty,
                [](bench::on_filch& filch, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    for (int i = 0; i < n; ++i) filch.pool().detach(task);
                    filch.pool().wait_idle();
                  });
                })
      .run(argc, argv);
}
