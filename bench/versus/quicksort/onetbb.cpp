#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_invoke.h>

#include "problem.hpp"

namespace {

void sort(quicksort::numbers v) {
  if (v.size() <= quicksort::cut_off) return quicksort::sort_serial(v);
  const auto sides = quicksort::divide(v);
  tbb::parallel_invoke([&] { sort(sides.first); }, [&] { sort(sides.second); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_onetbb>()
      .timed_on<quicksort::input>(quicksort::by_join, [](quicksort::input& in) { sort(in.all()); })
      .run(argc, argv);
}
