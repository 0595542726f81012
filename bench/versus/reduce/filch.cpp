#include "runtime/filch.hpp"

#include "filch/algorithm/reduce.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<reduce::input>(reduce::problem,
                               [](reduce::input& in) {
                                 for (int p = 0; p < reduce::passes; ++p)
                                   in.sum += filch::reduce(in.numbers, 0.0);
                               })
      .run(argc, argv);
}
