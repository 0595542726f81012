#include "runtime/openmp.hpp"

#include "problem.hpp"

namespace {

void sort(quicksort::numbers v) {
  if (v.size() <= quicksort::cut_off) return quicksort::sort_serial(v);
  const auto sides = quicksort::divide(v);
#pragma omp task firstprivate(sides)
  sort(sides.second);
  sort(sides.first);
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_openmp>()
      .timed_on<quicksort::input>(quicksort::by_join, [](quicksort::input& in) { sort(in.all()); })
      .run(argc, argv);
}
