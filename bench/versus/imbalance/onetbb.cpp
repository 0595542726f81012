#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_for.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  return imbalance::page_of<bench::on_onetbb>([](bench::on_onetbb&, auto& in) {
           tbb::parallel_for(0, in.items, [&](int i) { in.run(i); });
         })
      .run(argc, argv);
}
