#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

using shapes::marks;
using shapes::move_only;
using shapes::three_numbers;

/// Arguments by value where the others capture, because plain calls have no captures.
struct walks {
  static long captures(int depth, long node) {
    if (depth == 0) return node;
    return captures(depth - 1, node * 2) + captures(depth - 1, node * 2 + 1);
  }

  static void without_result(marks& m, int depth, long node) {
    if (depth == 0) return m.mark(node);
    without_result(m, depth - 1, node * 2);
    without_result(m, depth - 1, node * 2 + 1);
  }

  static three_numbers of_24_bytes(int depth, long node) {
    if (depth == 0) return three_numbers::of(node);
    return of_24_bytes(depth - 1, node * 2) + of_24_bytes(depth - 1, node * 2 + 1);
  }

  static move_only only_moved(int depth, long node) {
    if (depth == 0) return move_only(node);
    const move_only x = only_moved(depth - 1, node * 2);
    const move_only y = only_moved(depth - 1, node * 2 + 1);
    return move_only(x.value + y.value);
  }

  [[gnu::noinline]] static long not_inlined(int depth, long node) {
    if (depth == 0) return node;
    return not_inlined(depth - 1, node * 2) + not_inlined(depth - 1, node * 2 + 1);
  }

  static long of_three(int depth, long node) {
    if (depth == 0) return node;
    return of_three(depth - 1, node * 3) + of_three(depth - 1, node * 3 + 1) +
           of_three(depth - 1, node * 3 + 2);
  }

  static long of_four(int depth, long node) {
    if (depth == 0) return node;
    return of_four(depth - 1, node * 4) + of_four(depth - 1, node * 4 + 1) +
           of_four(depth - 1, node * 4 + 2) + of_four(depth - 1, node * 4 + 3);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return shapes::page_of<bench::on_serial, walks>().run(argc, argv);
}
