#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_for.h>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed_on<phases::input>(phases::problem,
                               [](phases::input& in) {
                                 for (int l = 0; l < in.loops; ++l)
                                   tbb::parallel_for(0, phases::items,
                                                     [&](int i) { in.run(l, i); });
                               })
      .run(argc, argv);
}
