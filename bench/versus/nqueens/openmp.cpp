#include "runtime/openmp.hpp"

#include <array>
#include <numeric>

#include "problem.hpp"

namespace {

using nqueens::board;

int ways(const board& b) {
  if (b.full()) return 1;
  std::array<int, 16> found{};
  std::size_t i = 0;
  for (int c = b.allowed_from(0); c != b.none(); c = b.allowed_from(c + 1), ++i) {
#pragma omp task shared(found, b) firstprivate(c, i)
    found[i] = ways(b.with(c));
  }
#pragma omp taskwait
  return std::accumulate(found.begin(), found.end(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .timed(nqueens::all, nqueens::answer, [](int n) { return ways(board(n)); })
      .run(argc, argv);
}
