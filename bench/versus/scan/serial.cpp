#include "runtime/serial.hpp"

#include <numeric>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<scan::input>(scan::problem,
                             [](scan::input& in) {
                               for (int p = 0; p < scan::passes; ++p)
                                 std::inclusive_scan(in.numbers.begin(), in.numbers.end(),
                                                     in.sums.begin());
                             })
      .run(argc, argv);
}
