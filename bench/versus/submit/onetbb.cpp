#include "runtime/onetbb.hpp"

#include <oneapi/tbb/task_group.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb_from_outside>()
      .measured(submit::empty,
                [](bench::on_onetbb_from_outside& onetbb, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    tbb::task_group group;
                    for (int i = 0; i < n; ++i) onetbb.arena().enqueue(group.defer(task));
                    onetbb.run([&] { group.wait(); });
                  });
                })
      .run(argc, argv);
}
