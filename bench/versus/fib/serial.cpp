#include "harness.hpp"
#include "problem.hpp"

namespace {

[[gnu::noinline]] long fib_of(int n) {
  if (n < 2) return n;
  return fib_of(n - 1) + fib_of(n - 2);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(
      "fib", "serial", bench::parse(argc, argv), [] { return fib_of(bench::opaque(fib::n)); },
      fib::expected);
}
