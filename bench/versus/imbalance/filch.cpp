#include "runtime/filch.hpp"

#include "filch/algorithm/parallel_for.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return imbalance::page_of<bench::on_filch>([](bench::on_filch&, auto& in) {
           filch::parallel_for(0, in.items, [&](int i) { in.run(i); });
         })
      .run(argc, argv);
}
