#include "runtime/mutex_queue.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_mutex_queue>()
      .measured(submit::empty,
                [](bench::on_mutex_queue& queue, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    for (int i = 0; i < n; ++i) queue.submit(task);
                    queue.wait_idle();
                  });
                })
      .run(argc, argv);
}
