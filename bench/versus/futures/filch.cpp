#include "runtime/filch.hpp"

#include <cstddef>
#include <vector>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .measured(
          futures::empty,
          [](bench::on_filch& filch, int count) {
            return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
              std::vector<filch::future<void>> all(static_cast<std::size_t>(futures::at_once));
              futures::in_turns(n, [&](int m) {
                for (int i = 0; i < m; ++i)
                  all[static_cast<std::size_t>(i)] = filch.pool().submit(task);
                for (int i = 0; i < m; ++i) all[static_cast<std::size_t>(i)].get();
              });
            });
          })
      .run(argc, argv);
}
