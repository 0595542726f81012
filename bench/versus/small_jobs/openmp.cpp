// Tasks in both forms: a join is a task and a taskwait.
#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

struct ways {
  template <class Jobs>
  static void in_scopes(Jobs& jobs) {
    small_jobs::in_groups(jobs.count(), [&jobs](int first, int last) {
      for (int i = first; i < last; ++i) {
#pragma omp task shared(jobs) firstprivate(i)
        jobs.run(i);
      }
#pragma omp taskwait
    });
  }
  template <class Jobs>
  static void by_join(Jobs& jobs, int first, int last) {
    if (last - first == 1) return jobs.run(first);
    const int middle = first + (last - first) / 2;
#pragma omp task shared(jobs)
    by_join(jobs, middle, last);
    by_join(jobs, first, middle);
#pragma omp taskwait
  }
};

}  // namespace

int main(int argc, char** argv) {
  return small_jobs::page_of<bench::on_openmp, ways>().run(argc, argv);
}
