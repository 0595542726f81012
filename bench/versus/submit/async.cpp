// As many calls at once as there are workers; more, and the machine runs out of threads.
#include "runtime/async.hpp"

#include <future>
#include <vector>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_async>()
      .measured(
          submit::empty.at_most(5000),
          [](bench::on_async& async, int count) {
            return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
              std::vector<std::future<void>> running(static_cast<std::size_t>(async.workers()));
              for (int i = 0; i < n; ++i)
                running[static_cast<std::size_t>(i % async.workers())] =
                    std::async(std::launch::async, task);
              for (auto& r : running)
                if (r.valid()) r.wait();
            });
          })
      .run(argc, argv);
}
