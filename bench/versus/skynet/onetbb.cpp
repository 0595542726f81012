#include "runtime/onetbb.hpp"

#include <oneapi/tbb/task_group.h>

#include <array>
#include <numeric>

#include "problem.hpp"

namespace {

long sum(long first, int leaves) {
  if (leaves == 1) return first;
  const int part = leaves / skynet::children;
  std::array<long, skynet::children> sums{};
  tbb::task_group group;
  for (int i = 0; i < skynet::children; ++i)
    group.run([=, &slot = sums[static_cast<std::size_t>(i)]] {
      slot = sum(first + long{i} * part, part);
    });
  group.wait();
  return std::accumulate(sums.begin(), sums.end(), 0L);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed(skynet::sum, skynet::answer, [](int leaves) { return sum(0, leaves); })
      .run(argc, argv);
}
