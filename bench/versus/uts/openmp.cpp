#include "runtime/openmp.hpp"

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
  for (int i = 0; i < children; ++i) {
#pragma omp task shared(found, tree, n) firstprivate(i)
    found[static_cast<std::size_t>(i)] = walk(tree, n.child(i));
  }
#pragma omp taskwait
  return std::accumulate(found.begin(), found.end(), itself);
}

template <class Tree>
uts::count walk_all(int size) {
  return walk(Tree{size}, uts::node::root(Tree::seed));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .timed(uts::geometric, uts::answer_t1, walk_all<uts::t1>)
      .timed(uts::binomial, uts::answer_t3, walk_all<uts::t3>)
      .run(argc, argv);
}
