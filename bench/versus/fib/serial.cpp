#include "runtime/serial.hpp"

#include "problem.hpp"

namespace {

[[gnu::noinline]] long fib_of(int n) {
  if (n < 2) return n;
  return fib_of(n - 1) + fib_of(n - 2);
}

[[gnu::noinline]] long fib_swapped(int n) {
  if (n < 2) return n;
  return fib_swapped(n - 2) + fib_swapped(n - 1);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::page<bench::on_serial>()
      .timed(fib::in_order, fib::answer, fib_of)
      .timed(fib::swapped, fib::answer, fib_swapped)
      .run(argc, argv);
}
