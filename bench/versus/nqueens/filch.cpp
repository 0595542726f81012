#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

using nqueens::board;

int ways(const board& b);

/// The ways with a queen at `column`, or right of it, in the next row.
int ways_from(const board& b, int column) {
  const int next = b.allowed_from(column + 1);
  if (next == b.none()) return ways(b.with(column));
  const auto [here, there] = filch::join([&b, column] { return ways(b.with(column)); },
                                         [&b, next] { return ways_from(b, next); });
  return here + there;
}

int ways(const board& b) {
  if (b.full()) return 1;
  const int first = b.allowed_from(0);
  return first == b.none() ? 0 : ways_from(b, first);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed(nqueens::all, nqueens::answer, [](int n) { return ways(board(n)); })
      .run(argc, argv);
}
