#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_for.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  const auto run = [](bench::on_onetbb&, auto& in) {
    for (int l = 0; l < in.loops; ++l)
      tbb::parallel_for(0, phases::items, [&](int i) { in.run(l, i); });
  };
  return phases::page_of<bench::on_onetbb>(run).run(argc, argv);
}
