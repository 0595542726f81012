// A thread for one side, while there are fewer than about eight for every worker; then it sorts
// serially.
#include "runtime/async.hpp"

#include <future>

#include "problem.hpp"

namespace {

void sort(quicksort::numbers v, int threads) {
  if (threads <= 1 || v.size() <= quicksort::cut_off) return quicksort::sort_serial(v);
  const auto sides = quicksort::divide(v);
  const auto right =
      std::async(std::launch::async, [&] { sort(sides.second, threads - threads / 2); });
  sort(sides.first, threads / 2);
  right.wait();
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_async>()
      .timed_on<quicksort::input>(quicksort::by_join,
                                  [](bench::on_async& async, quicksort::input& in) {
                                    sort(in.all(), async.workers() == 1 ? 1 : 8 * async.workers());
                                  })
      .run(argc, argv);
}
