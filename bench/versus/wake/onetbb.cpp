#include "runtime/onetbb.hpp"

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb_from_outside>()
      .measured(wake::from_idle,
                [](bench::on_onetbb_from_outside& onetbb, int count) {
                  return wake::median(count, [&](auto task) { onetbb.arena().enqueue(task); });
                })
      .run(argc, argv);
}
