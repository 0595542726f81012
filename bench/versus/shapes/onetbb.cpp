// parallel_invoke has no results: the branches write them where the caller can see them.
#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_invoke.h>

#include <optional>

#include "problem.hpp"

namespace {

using shapes::marks;
using shapes::move_only;
using shapes::three_numbers;
using tbb::parallel_invoke;

struct walks {
  static long captures(int depth, long node) {
    if (depth == 0) return node;
    long x = 0;
    long y = 0;
    parallel_invoke([&] { x = captures(depth - 1, node * 2); },
                    [&] { y = captures(depth - 1, node * 2 + 1); });
    return x + y;
  }

  static void without_result(marks& m, int depth, long node) {
    if (depth == 0) return m.mark(node);
    parallel_invoke([=, &m] { without_result(m, depth - 1, node * 2); },
                    [=, &m] { without_result(m, depth - 1, node * 2 + 1); });
  }

  static three_numbers of_24_bytes(int depth, long node) {
    if (depth == 0) return three_numbers::of(node);
    three_numbers x;
    three_numbers y;
    parallel_invoke([=, &x] { x = of_24_bytes(depth - 1, node * 2); },
                    [=, &y] { y = of_24_bytes(depth - 1, node * 2 + 1); });
    return x + y;
  }

  static move_only only_moved(int depth, long node) {
    if (depth == 0) return move_only(node);
    std::optional<move_only> x;
    std::optional<move_only> y;
    parallel_invoke([=, &x] { x = only_moved(depth - 1, node * 2); },
                    [=, &y] { y = only_moved(depth - 1, node * 2 + 1); });
    return move_only(x->value + y->value);
  }

  [[gnu::noinline]] static long not_inlined(int depth, long node) {
    if (depth == 0) return node;
    long x = 0;
    long y = 0;
    parallel_invoke([=, &x] { x = not_inlined(depth - 1, node * 2); },
                    [=, &y] { y = not_inlined(depth - 1, node * 2 + 1); });
    return x + y;
  }

  static long of_three(int depth, long node) {
    if (depth == 0) return node;
    long x = 0;
    long y = 0;
    long z = 0;
    parallel_invoke([=, &x] { x = of_three(depth - 1, node * 3); },
                    [=, &y] { y = of_three(depth - 1, node * 3 + 1); },
                    [=, &z] { z = of_three(depth - 1, node * 3 + 2); });
    return x + y + z;
  }

  static long of_four(int depth, long node) {
    if (depth == 0) return node;
    long w = 0;
    long x = 0;
    long y = 0;
    long z = 0;
    parallel_invoke([=, &w] { w = of_four(depth - 1, node * 4); },
                    [=, &x] { x = of_four(depth - 1, node * 4 + 1); },
                    [=, &y] { y = of_four(depth - 1, node * 4 + 2); },
                    [=, &z] { z = of_four(depth - 1, node * 4 + 3); });
    return w + x + y + z;
  }
};

}  // namespace

int main(int argc, char** argv) {
  return shapes::page_of<bench::on_onetbb, walks>().run(argc, argv);
}
