// The squares of the first two rows are dealt in turn.
#include "runtime/threads.hpp"

#include <atomic>

#include "problem.hpp"

namespace {

using nqueens::board;

int ways(bench::on_threads& threads, int n) {
  std::atomic<int> sum{0};
  threads.each([&](int me) {
    int mine = 0;
    int dealt = 0;
    for (int first = 0; first < n; ++first) {
      const board b = board(n).with(first);
      for (int c = b.allowed_from(0); c != b.none(); c = b.allowed_from(c + 1))
        if (dealt++ % threads.workers() == me) mine += nqueens::ways_serial(b.with(c));
    }
    sum += mine;
  });
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_threads>()
      .timed(nqueens::all, nqueens::answer, ways)
      .run(argc, argv);
}
