#include "runtime/std_par.hpp"

#include <execution>
#include <numeric>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_std_par>()
      .timed_on<scan::input>(scan::problem,
                             [](scan::input& in) {
                               for (int p = 0; p < scan::passes; ++p)
                                 std::inclusive_scan(std::execution::par, in.numbers.begin(),
                                                     in.numbers.end(), in.sums.begin());
                             })
      .run(argc, argv);
}
