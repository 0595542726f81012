// There are no groups: tasks are counted, and a thread that waits for them helps.
#include "runtime/mutex_queue.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return scope_spawn::page_of<bench::on_mutex_queue>(
             [](bench::on_mutex_queue& queue, int n, const auto& task) {
               std::atomic<int> left{n};
               for (int i = 0; i < n; ++i) {
                 queue.submit([&left, task] {
                   task();
                   --left;
                 });
               }
               while (left > 0)
                 if (!queue.help()) std::this_thread::yield();
             })
      .run(argc, argv);
}
