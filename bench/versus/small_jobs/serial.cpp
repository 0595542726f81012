// A plain loop for both forms.
#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

struct ways {
  template <class Jobs>
  static void in_scopes(Jobs& jobs) {
    by_join(jobs, 0, jobs.count());
  }
  template <class Jobs>
  static void by_join(Jobs& jobs, int first, int last) {
    for (int i = first; i < last; ++i) jobs.run(i);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return small_jobs::page_of<bench::on_serial, ways>().run(argc, argv);
}
