#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "filch/scope.hpp"
#include "problem.hpp"

namespace {

struct ways {
  template <class Jobs>
  static void in_scopes(Jobs& jobs) {
    small_jobs::in_groups(jobs.count(), [&jobs](int first, int last) {
      filch::scope s;
      for (int i = first; i < last; ++i) s.spawn([&jobs, i] { jobs.run(i); });
      s.wait();
    });
  }
  template <class Jobs>
  static void by_join(Jobs& jobs, int first, int last) {
    if (last - first == 1) return jobs.run(first);
    const int middle = first + (last - first) / 2;
    filch::join([=, &jobs] { by_join(jobs, first, middle); },
                [=, &jobs] { by_join(jobs, middle, last); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  return small_jobs::page_of<bench::on_filch, ways>().run(argc, argv);
}
