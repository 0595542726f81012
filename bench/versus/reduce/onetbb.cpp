#include "runtime/onetbb.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>
#include <numeric>

#include "problem.hpp"

namespace {

double sum_of(const std::vector<double>& numbers) {
  using range = tbb::blocked_range<std::vector<double>::const_iterator>;
  return tbb::parallel_reduce(
      range(numbers.begin(), numbers.end()), 0.0,
      [](const range& r, double so_far) { return std::reduce(r.begin(), r.end(), so_far); },
      std::plus<>());
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed_on<reduce::input>(reduce::problem,
                               [](reduce::input& in) {
                                 for (int p = 0; p < reduce::passes; ++p)
                                   in.sum += sum_of(in.numbers);
                               })
      .run(argc, argv);
}
