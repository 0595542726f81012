#include "runtime/mutex_queue.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_mutex_queue>()
      .measured(scope_spawn::empty,
                [](bench::on_mutex_queue& queue, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    queue.run([&] {
                      for (int i = 0; i < n; ++i) queue.submit(task);
                    });
                  });
                })
      .run(argc, argv);
}
