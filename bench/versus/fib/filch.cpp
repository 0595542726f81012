#include "runtime/filch.hpp"

#include "filch/join.hpp"
#include "problem.hpp"

namespace {

long fib_of(int n) {
  if (n < 2) return n;
  const auto [x, y] = filch::join([=] { return fib_of(n - 1); }, [=] { return fib_of(n - 2); });
  return x + y;
}

long fib_swapped(int n) {
  if (n < 2) return n;
  const auto [x, y] =
      filch::join([=] { return fib_swapped(n - 2); }, [=] { return fib_swapped(n - 1); });
  return x + y;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_filch>()
      .timed(fib::in_order, fib::answer, fib_of)
      .timed(fib::swapped, fib::answer, fib_swapped)
      .run(argc, argv);
}
