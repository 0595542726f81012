#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

template <class Tree>
uts::count walk(const Tree& tree, const uts::node& n);

/// Counts the children [first, last) of a node, and the nodes below them.
template <class Tree>
uts::count walk_children(const Tree& tree, const uts::node& parent, int first, int last) {
  if (last - first == 1) return walk(tree, parent.child(first));
  const int middle = first + (last - first) / 2;
  const auto [left, right] = filch::join([&] { return walk_children(tree, parent, first, middle); },
                                         [&] { return walk_children(tree, parent, middle, last); });
  return left + right;
}

template <class Tree>
uts::count walk(const Tree& tree, const uts::node& n) {
  const int children = tree.children(n);
  const uts::count itself = uts::count::of(n, children);
  return children == 0 ? itself : itself + walk_children(tree, n, 0, children);
}

template <class Tree>
uts::count walk_all(int size) {
  return walk(Tree{size}, uts::node::root(Tree::seed));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed(uts::geometric, uts::answer_t1, walk_all<uts::t1>)
      .timed(uts::binomial, uts::answer_t3, walk_all<uts::t3>)
      .run(argc, argv);
}
