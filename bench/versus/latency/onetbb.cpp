#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_group.h>

#include "problem.hpp"

namespace {

struct ways {
  template <class Leaf, class Stolen>
  static void join(Leaf leaf, Stolen stolen) {
    tbb::parallel_invoke(stolen, leaf);  // the caller runs the last one
  }
  template <class Stolen, class Leaf>
  static void spawn(Stolen stolen, Leaf leaf) {
    tbb::task_group group;
    group.run(stolen);
    leaf();
    group.wait();
  }
};

}  // namespace

int main(int argc, char** argv) {
  return latency::page_of<bench::on_onetbb, ways>().run(argc, argv);
}
