#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

using filch::join;
using shapes::marks;
using shapes::move_only;
using shapes::three_numbers;

struct walks {
  static long captures(int depth, long node) {
    if (depth == 0) return node;
    const auto [x, y] = join([&] { return captures(depth - 1, node * 2); },
                             [&] { return captures(depth - 1, node * 2 + 1); });
    return x + y;
  }

  static void without_result(marks& m, int depth, long node) {
    if (depth == 0) return m.mark(node);
    join([=, &m] { without_result(m, depth - 1, node * 2); },
         [=, &m] { without_result(m, depth - 1, node * 2 + 1); });
  }

  static three_numbers of_24_bytes(int depth, long node) {
    if (depth == 0) return three_numbers::of(node);
    const auto [x, y] = join([=] { return of_24_bytes(depth - 1, node * 2); },
                             [=] { return of_24_bytes(depth - 1, node * 2 + 1); });
    return x + y;
  }

  static move_only only_moved(int depth, long node) {
    if (depth == 0) return move_only(node);
    const auto [x, y] = join([=] { return only_moved(depth - 1, node * 2); },
                             [=] { return only_moved(depth - 1, node * 2 + 1); });
    return move_only(x.value + y.value);
  }

  [[gnu::noinline]] static long not_inlined(int depth, long node) {
    if (depth == 0) return node;
    const auto [x, y] = join([=] { return not_inlined(depth - 1, node * 2); },
                             [=] { return not_inlined(depth - 1, node * 2 + 1); });
    return x + y;
  }

  static long of_three(int depth, long node) {
    if (depth == 0) return node;
    const auto [x, y, z] = join([=] { return of_three(depth - 1, node * 3); },
                                [=] { return of_three(depth - 1, node * 3 + 1); },
                                [=] { return of_three(depth - 1, node * 3 + 2); });
    return x + y + z;
  }

  static long of_four(int depth, long node) {
    if (depth == 0) return node;
    const auto [w, x, y, z] = join([=] { return of_four(depth - 1, node * 4); },
                                   [=] { return of_four(depth - 1, node * 4 + 1); },
                                   [=] { return of_four(depth - 1, node * 4 + 2); },
                                   [=] { return of_four(depth - 1, node * 4 + 3); });
    return w + x + y + z;
  }
};

}  // namespace

int main(int argc, char** argv) {
  return shapes::page_of<bench::on_filch, walks>().run(argc, argv);
}
