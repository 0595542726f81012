#include "runtime/openmp.hpp"

#include <array>
#include <numeric>

#include "problem.hpp"

namespace {

long sum(long first, int leaves) {
  if (leaves == 1) return first;
  const int part = leaves / skynet::children;
  std::array<long, skynet::children> sums{};
  for (int i = 0; i < skynet::children; ++i) {
#pragma omp task shared(sums) firstprivate(i, first, part)
    sums[static_cast<std::size_t>(i)] = sum(first + long{i} * part, part);
  }
#pragma omp taskwait
  return std::accumulate(sums.begin(), sums.end(), 0L);
}

}  // namespace

// It has a tenth of the leaves of the others, so it is compared by the time of a task.
int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .timed(skynet::sum.at_most(10'000'000), skynet::answer,
             [](int leaves) { return sum(0, leaves); })
      .run(argc, argv);
}
