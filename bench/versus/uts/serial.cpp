#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

template <class Tree>
uts::count walk(const Tree& tree, const uts::node& n) {
  const int children = tree.children(n);
  uts::count total = uts::count::of(n, children);
  for (int i = 0; i < children; ++i) total = total + walk(tree, n.child(i));
  return total;
}

template <class Tree>
uts::count walk_all(int size) {
  return walk(Tree{size}, uts::node::root(Tree::seed));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed(uts::geometric, uts::answer_t1, walk_all<uts::t1>)
      .timed(uts::binomial, uts::answer_t3, walk_all<uts::t3>)
      .run(argc, argv);
}
