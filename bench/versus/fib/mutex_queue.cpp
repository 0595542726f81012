#include "runtime/mutex_queue.hpp"

#include "problem.hpp"

namespace {

long fib_of(bench::on_mutex_queue& queue, int n) {
  if (n < 2) return n;
  const auto [x, y] = queue.join([&queue, n] { return fib_of(queue, n - 1); },
                                 [&queue, n] { return fib_of(queue, n - 2); });
  return x + y;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_mutex_queue>()
      .timed(fib::in_order.at_most(28), fib::answer,
             [](bench::on_mutex_queue& queue, int n) { return fib_of(queue, n); })
      .run(argc, argv);
}
