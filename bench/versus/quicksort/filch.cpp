#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

void sort(quicksort::numbers v) {
  if (v.size() <= quicksort::cut_off) return quicksort::sort_serial(v);
  const auto sides = quicksort::divide(v);
  filch::join([&] { sort(sides.first); }, [&] { sort(sides.second); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed_on<quicksort::input>(quicksort::by_join, [](quicksort::input& in) { sort(in.all()); })
      .run(argc, argv);
}
