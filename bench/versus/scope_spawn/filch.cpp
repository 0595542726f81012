#include "runtime/filch.hpp"

#include "filch/scope.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return scope_spawn::page_of<bench::on_filch>([](bench::on_filch&, int n, const auto& task) {
           filch::scope s;
           for (int i = 0; i < n; ++i) s.spawn(task);
           s.wait();
         })
      .run(argc, argv);
}
