#include "runtime/onetbb.hpp"

#include <oneapi/tbb/task_group.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  return scope_spawn::page_of<bench::on_onetbb>([](bench::on_onetbb&, int n, const auto& task) {
           tbb::task_group group;
           for (int i = 0; i < n; ++i) group.run(task);
           group.wait();
         })
      .run(argc, argv);
}
