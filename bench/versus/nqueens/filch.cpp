#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

using nqueens::board;

int ways(const board& b);

/// Returns the number of ways with a queen at `column`, or right of it, in the next row.
int ways_from(const board& b, int column) {
  if (column == b.none()) return 0;
  const auto [right, here] =
      filch::join([&b, column] { return ways_from(b, b.allowed_from(column + 1)); },
                  [child = b.with(column)] { return ways(child); });
  return here + right;
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
