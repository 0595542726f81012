#include "runtime/filch.hpp"

#include "filch/algorithm/scan.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<scan::input>(scan::problem,
                             [](scan::input& in) {
                               for (int p = 0; p < scan::passes; ++p)
                                 filch::inclusive_scan(in.numbers, in.sums.begin());
                             })
      .run(argc, argv);
}
