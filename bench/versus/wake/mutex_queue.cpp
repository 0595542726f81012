#include "runtime/mutex_queue.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_mutex_queue>()
      .measured(wake::from_idle,
                [](bench::on_mutex_queue& queue, int count) {
                  return wake::median(count, [&](auto task) { queue.submit(task); });
                })
      .run(argc, argv);
}
