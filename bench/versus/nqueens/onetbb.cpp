#include "runtime/onetbb.hpp"

#include <oneapi/tbb/task_group.h>

#include <array>
#include <numeric>

#include "problem.hpp"

namespace {

using nqueens::board;

int ways(const board& b) {
  if (b.full()) return 1;
  std::array<int, 16> found{};
  tbb::task_group group;
  std::size_t i = 0;
  for (int c = b.allowed_from(0); c != b.none(); c = b.allowed_from(c + 1))
    group.run([&b, c, &slot = found[i++]] { slot = ways(b.with(c)); });
  group.wait();
  return std::accumulate(found.begin(), found.end(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed(nqueens::all, nqueens::answer, [](int n) { return ways(board(n)); })
      .run(argc, argv);
}
