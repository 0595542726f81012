#include "runtime/async.hpp"

#include <future>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_async>()
      .measured(wake::from_idle,
                [](bench::on_async&, int count) {
                  std::future<void> last;
                  return wake::median(
                      count, [&](auto task) { last = std::async(std::launch::async, task); });
                })
      .run(argc, argv);
}
