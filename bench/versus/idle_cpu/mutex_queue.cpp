#include "runtime/mutex_queue.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_mutex_queue>()
      .measured(idle_cpu::after_work,
                [](bench::on_mutex_queue& queue, int milliseconds) {
                  for (int i = 0; i < idle_cpu::pieces; ++i) queue.submit(idle_cpu::piece);
                  queue.wait_idle();
                  return idle_cpu::used_in(milliseconds);
                })
      .run(argc, argv);
}
