#include "runtime/onetbb.hpp"

#include <oneapi/tbb/task_group.h>

#include <numeric>
#include <vector>

#include "problem.hpp"

namespace {

template <class Tree>
uts::count walk(const Tree& tree, const uts::node& n) {
  const int children = tree.children(n);
  const uts::count itself = uts::count::of(n, children);
  if (children == 0) return itself;
  std::vector<uts::count> found(static_cast<std::size_t>(children));
  tbb::task_group group;
  for (int i = 0; i < children; ++i)
    group.run([&tree, &n, i, &slot = found[static_cast<std::size_t>(i)]] {
      slot = walk(tree, n.child(i));
    });
  group.wait();
  return std::accumulate(found.begin(), found.end(), itself);
}

template <class Tree>
uts::count walk_all(int size) {
  return walk(Tree{size}, uts::node::root(Tree::seed));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed(uts::geometric, uts::answer_t1, walk_all<uts::t1>)
      .timed(uts::binomial, uts::answer_t3, walk_all<uts::t3>)
      .run(argc, argv);
}
