#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_group.h>

#include "problem.hpp"

namespace {

struct ways {
  template <class Jobs>
  static void in_scopes(Jobs& jobs) {
    small_jobs::in_groups(jobs.count(), [&jobs](int first, int last) {
      tbb::task_group group;
      for (int i = first; i < last; ++i) group.run([&jobs, i] { jobs.run(i); });
      group.wait();
    });
  }
  template <class Jobs>
  static void by_join(Jobs& jobs, int first, int last) {
    if (last - first == 1) return jobs.run(first);
    const int middle = first + (last - first) / 2;
    tbb::parallel_invoke([=, &jobs] { by_join(jobs, first, middle); },
                         [=, &jobs] { by_join(jobs, middle, last); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  return small_jobs::page_of<bench::on_onetbb, ways>().run(argc, argv);
}
