#include "runtime/onetbb.hpp"

#include <oneapi/tbb/task_group.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .measured(futures::empty,
                [](bench::on_onetbb& onetbb, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    onetbb.run([&] {
                      futures::in_turns(n, [&](int m) {
                        tbb::task_group group;
                        for (int i = 0; i < m; ++i) group.run(task);
                        group.wait();
                      });
                    });
                  });
                })
      .run(argc, argv);
}
