// Fork and join: the Fibonacci numbers by naive recursion, on all cores.
//
// join() runs one call itself and lets a free worker steal the other. If no worker steals it, that
// costs a few nanoseconds. So there is no need to stop splitting early, but it still pays not to
// fork for work that is smaller than that.
#include <cstdio>

#include "filch/join.hpp"

namespace {

long fib_serial(int n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

long fib(int n) {
  if (n < 12) return fib_serial(n);
  const auto [a, b] = filch::join([&] { return fib(n - 1); }, [&] { return fib(n - 2); });
  return a + b;
}

}  // namespace

int main() {
  const int n = 27;
  const long parallel = fib(n);
  const long serial = fib_serial(n);
  std::printf("fib(%d) = %ld in parallel, %ld serially\n", n, parallel, serial);
  return parallel == serial ? 0 : 1;
}
