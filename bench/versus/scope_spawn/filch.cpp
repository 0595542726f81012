#include "runtime/filch.hpp"

#include "filch/scope.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .measured(scope_spawn::empty,
                [](bench::on_filch& filch, int count) {
                  return bench::seconds_for_tasks(count, [&](int n, const auto& task) {
                    filch.run([&] {
                      filch::scope s;
                      for (int i = 0; i < n; ++i) s.spawn(task);
                      s.wait();
                    });
                  });
                })
      .run(argc, argv);
}
