#include "runtime/serial.hpp"

#include <numeric>

#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed_on<reduce::input>(reduce::problem,
                               [](reduce::input& in) {
                                 for (int p = 0; p < reduce::passes; ++p)
                                   in.sum += std::reduce(in.numbers.begin(), in.numbers.end());
                               })
      .run(argc, argv);
}
