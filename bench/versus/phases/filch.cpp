#include "runtime/filch.hpp"

#include "filch/algorithm/parallel_for.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<phases::input>(phases::problem,
                               [](phases::input& in) {
                                 for (int l = 0; l < in.loops; ++l)
                                   filch::parallel_for(0, phases::items,
                                                       [&](int i) { in.run(l, i); });
                               })
      .run(argc, argv);
}
