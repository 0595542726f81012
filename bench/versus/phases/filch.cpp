#include "runtime/filch.hpp"

#include "filch/algorithm/parallel_for.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  const auto run = [](bench::on_filch&, auto& in) {
    for (int l = 0; l < in.loops; ++l)
      filch::parallel_for(0, phases::items, [&](int i) { in.run(l, i); });
  };
  return phases::page_of<bench::on_filch>(run).run(argc, argv);
}
